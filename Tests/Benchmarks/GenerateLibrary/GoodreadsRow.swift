import TestSupport

/// Writes books as rows of a Goodreads export with the 24 columns it has had since 2022, quoted where
/// Goodreads quotes.
struct GoodreadsRow {
    static let header: StaticString = """
        Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,\
        Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with \
        positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies

        """

    private let seed: UInt64
    private let changedPercent: Int
    private var cell: [UInt8] = []

    /// - Parameter changedPercent: Percentage of rows with other user's data than in a file without changes.
    init(seed: UInt64, changedPercent: Int = 0) {
        self.seed = seed
        self.changedPercent = changedPercent
    }

    /// The draws of the user's data, which follow from the record's number.
    private func draws(ofRecord number: Int) -> SeededGenerator {
        let seed = seed ^ UInt64(number) &* 0xA24B_AED4_963E_E407
        var change = SeededGenerator(seed: ~seed)
        return SeededGenerator(seed: change.upTo(100) < changedPercent ? change.next() : seed)
    }

    /// Appends the row of a book.
    mutating func append(_ book: GeneratedBook, to line: inout [UInt8]) {
        var draws = draws(ofRecord: book.record)
        line.append(number: 1_000 + book.record)
        appendBook(book, to: &line)
        let isRead = draws.upTo(10) < 6
        line.append(",")
        line.append(number: isRead ? draws.upTo(6) : 0)
        line.append(",")
        let drawnRating = 300 + 100 * draws.upTo(2) + draws.upTo(100)
        let rating = book.averageRating ?? drawnRating
        line.append(number: rating / 100)
        line.append(".")
        line.append(number: rating % 100, digits: 2)
        appendCell(to: &line) { cell in
            if book.spelling.hasShortPublisher {
                cell.append(nameOf: book.publisher, syllables: 2)
            } else {
                cell.append(publisher: book.publisher)
            }
        }
        line.append(",")
        line.append(Words.bindings[book.binding])
        line.append(",")
        line.append(number: book.pages)
        line.append(",")
        line.append(number: book.year)
        line.append(",")
        line.append(number: book.firstYear)
        appendReading(of: book, isRead: isRead, draws: &draws, to: &line)
    }

    private mutating func appendBook(_ book: GeneratedBook, to line: inout [UInt8]) {
        appendCell(to: &line) { cell in
            cell.append(titleOf: book.work)
            book.spelling.respell(title: &cell)
            if let place = book.series {
                cell.append(" (")
                // Neighbouring works of a series share its name.
                cell.append(nameOf: book.author &* 31, syllables: 3)
                cell.append(" Cycle, #")
                cell.append(number: place)
                cell.append(")")
            }
        }
        appendCell(to: &line) { cell in
            cell.append(nameOf: book.author)
            book.spelling.respell(author: &cell)
        }
        appendCell(to: &line) { cell in
            cell.append(surnameOf: book.author)
            cell.append(", ")
            cell.append(firstNameOf: book.author)
        }
        appendCell(to: &line) { cell in
            for place in 0..<book.furtherAuthors {
                if place > 0 { cell.append(", ") }
                cell.append(nameOf: book.furtherAuthor(place))
            }
        }
        appendCell(to: &line) { cell in
            cell.append("=\"")
            if book.isbn != .none { cell.append(isbn10Of: book) }
            cell.append("\"")
        }
        appendCell(to: &line) { cell in
            cell.append("=\"")
            if book.isbn != .none { cell.append(isbn13Of: book) }
            cell.append("\"")
        }
    }

    private mutating func appendReading(
        of book: GeneratedBook, isRead: Bool, draws: inout SeededGenerator, to line: inout [UInt8]
    ) {
        let added = draws.upTo(16 * 336)
        line.append(",")
        if isRead { line.append(day: Day(number: min(16 * 336 - 1, added + draws.upTo(200)))) }
        line.append(",")
        line.append(day: Day(number: added))

        let shelf: StaticString = isRead ? "read" : draws.upTo(12) == 0 ? "currently-reading" : "to-read"
        let first = draws.upTo(Words.shelves.count)
        let count = draws.upTo(4)
        appendCell(to: &line) { cell in
            if !isRead { cell.append(shelf) }
            for place in 0..<count {
                if place > 0 || !isRead { cell.append(", ") }
                cell.append(Words.shelves[(first + 5 * place) % Words.shelves.count])
            }
        }
        appendCell(to: &line) { cell in
            if !isRead {
                cell.append(shelf)
                cell.append(" (#")
                cell.append(number: book.record)
                cell.append(")")
            }
            for place in 0..<count {
                if place > 0 || !isRead { cell.append(", ") }
                cell.append(Words.shelves[(first + 5 * place) % Words.shelves.count])
                cell.append(" (#")
                cell.append(number: 1 + book.record / 7)
                cell.append(")")
            }
        }
        line.append(",")
        line.append(shelf)
        let hasReview = draws.upTo(20) == 0
        let lines = hasReview ? 4 + draws.upTo(9) : 0
        let from = draws.upTo(Words.reviewLines.count)
        appendCell(to: &line) { cell in
            for place in 0..<lines {
                if place > 0 { cell.append("\n") }
                for sentence in 0..<3 {
                    cell.append(
                        Words.reviewLines[(from + 3 * place + 5 * sentence) % Words.reviewLines.count])
                }
            }
        }
        line.append(",,")
        if draws.upTo(50) == 0 {
            line.append("lent to ")
            line.append(Words.firstNames[draws.upTo(64)])
        }
        line.append(",")
        line.append(number: isRead ? 1 + draws.upTo(10) / 9 : 0)
        line.append(",")
        line.append(number: draws.upTo(8) == 0 ? 1 : 0)
        line.append("\n")
    }

    /// Appends a comma and a cell, quoted if its content requires it (RFC 4180, 2.6 and 2.7).
    private mutating func appendCell(to line: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        line.append(",")
        cell.removeAll(keepingCapacity: true)
        write(&cell)
        let quote = UInt8(ascii: "\"")
        var needsQuotes = false
        for byte in cell where byte == quote || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") {
            needsQuotes = true
            break
        }
        guard needsQuotes else { return line.append(contentsOf: cell) }
        line.append(quote)
        for byte in cell {
            if byte == quote { line.append(quote) }
            line.append(byte)
        }
        line.append(quote)
    }
}
