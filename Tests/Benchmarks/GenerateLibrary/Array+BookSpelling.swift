import Books

/// The spelling of a book's parts, the same in the library and in the catalog.
extension [UInt8] {
    /// Appends the title of a work: its number, scattered over 33 bits, so that titles are distinct.
    mutating func append(titleOf work: Int) {
        let bits = work &* 0x9E37_79B1 & 0x1_FFFF_FFFF
        let adjective = Words.adjectives[bits >> 2 & 63]
        let noun = Words.nouns[bits >> 8 & 127]
        let place = bits >> 15
        switch bits & 3 {
        case 0:
            append("The ")
            append(adjective)
            append(" ")
            append(noun)
            append(" of ")
            append(nameOf: place, syllables: 3)
        case 1:
            append(nameOf: place, syllables: 3)
            append(" and the ")
            append(adjective)
            append(" ")
            append(noun)
        case 2:
            append("A ")
            append(noun)
            append(" in ")
            append(adjective)
            append(" ")
            append(nameOf: place, syllables: 3)
        default:
            append(adjective)
            append(" ")
            append(nameOf: place, syllables: 3)
            append("'s ")
            append(noun)
        }
    }

    mutating func append(firstNameOf author: Int) { append(Words.firstNames[author & 63]) }

    mutating func append(surnameOf author: Int) {
        append(nameOf: (author >> 6) &* 0x9E_3779 & 0xFF_FFFF, syllables: 4)
    }

    mutating func append(nameOf author: Int) {
        append(firstNameOf: author)
        append(" ")
        append(surnameOf: author)
    }

    mutating func append(publisher: Int) {
        append(nameOf: publisher, syllables: 2)
        append(Words.publisherSuffixes[publisher & 7])
    }

    mutating func append(isbn10Of book: GeneratedBook) {
        append(number: book.isbnDigits, digits: 9)
        let check = ISBNCheckDigit.ofTen(Int64(book.isbnDigits))
        append(book.isbn == .valid ? Self.capital(check) : check == UInt8(ascii: "1") ? 0x32 : 0x31)
    }

    mutating func append(isbn13Of book: GeneratedBook) {
        let twelve = 978_000_000_000 + book.isbnDigits
        append(number: twelve, digits: 12)
        let check = ISBNCheckDigit.ofThirteen(Int64(twelve))
        append(number: book.isbn == .valid ? check : (check + 3) % 10)
    }

    private static func capital(_ check: UInt8) -> UInt8 {
        check == UInt8(ascii: "x") ? UInt8(ascii: "X") : check
    }
}
