import TestSupport

/// A library of any size in which every book follows from its number, so that nothing is kept while it is
/// written.
struct GeneratedLibrary: Sendable {
    /// Records, 1 to 100,000,000: the number of distinct ISBNs.
    let records: Int
    let seed: UInt64
    /// Percentage of records with a valid ISBN. Another two percent have one with a wrong check digit.
    let isbnPercent: Int
    /// Whether all records are of different works; otherwise one in fifty shares its title with an earlier
    /// record.
    let isDistinct: Bool
    /// Nil if the records are of one user.
    let repeats: Repeats?

    /// How books repeat in a library of many users (``UserShelves``).
    struct Repeats {
        /// Percentage of records about a work that an earlier user has too.
        var percent: Int
        /// Number of users, at most one for each record. All have about the same number of books.
        var users = 1_000
        /// Exponent of the popularity of works.
        var exponent = 1.0
    }

    /// Number of distinct authors, with five books each on average.
    var authorCount: Int { max(1, records * (100 - (repeats?.percent ?? 0)) / 500) }

    /// The book of a record in a library of one user.
    func book(_ number: Int) -> GeneratedBook {
        var draws = draws(ofEdition: number)
        let isAnotherEdition = !isDistinct && number % 50 == 49
        let work = isAnotherEdition ? number - 1 - draws.upTo(40) : number
        return book(number, ofWork: work, &draws)
    }

    /// Maximum number of editions of a work.
    private static let maxEditions = 4

    /// Number of editions of a work in a library of many users.
    func editions(ofWork work: Int) -> Int {
        var draws = draws(ofEdition: ~work)
        return 1 + min(draws.upTo(8).trailingZeroBitCount, Self.maxEditions - 1)
    }

    /// An edition of a work in a library of many users.
    func book(edition: Int, ofWork work: Int) -> GeneratedBook {
        book(Self.maxEditions * work + edition, ofWork: work)
    }

    /// An edition of a given work.
    func book(_ number: Int, ofWork work: Int) -> GeneratedBook {
        var draws = draws(ofEdition: number)
        return book(number, ofWork: work, &draws)
    }

    private func draws(ofEdition number: Int) -> SeededGenerator {
        SeededGenerator(seed: seed &+ UInt64(bitPattern: Int64(number)) &* 0x8CB9_2BA7_2F3D_8DD7)
    }

    private func book(_ number: Int, ofWork work: Int, _ draws: inout SeededGenerator) -> GeneratedBook {
        // Whatever two editions share follows from the work's number, not from the record's.
        var workDraws = SeededGenerator(seed: ~seed &+ UInt64(work) &* 0xD134_2543_DE82_EF95)
        let author = workDraws.upTo(authorCount)
        let firstYear = 2024 - workDraws.upTo(workDraws.upTo(3) == 0 ? 200 : 40)
        let seriesDraw = workDraws.upTo(100)
        let isCatalogued = workDraws.upTo(100) < 80
        let isbnDraw = draws.upTo(100)
        let isbn: GeneratedBook.ISBN =
            isbnDraw < isbnPercent ? .valid : isbnDraw < isbnPercent + 2 ? .wrongCheckDigit : .none
        let furtherDraw = draws.upTo(100)
        return GeneratedBook(
            record: number, number: number, work: work, author: author,
            furtherAuthors: furtherDraw < 80 ? 0 : furtherDraw < 94 ? 1 : 2, authorCount: authorCount,
            series: seriesDraw < 19 ? 1 + seriesDraw % 7 : nil, isbn: isbn, isCatalogued: isCatalogued,
            publisher: draws.upTo(4_000), binding: draws.upTo(Words.bindings.count),
            pages: 60 + draws.upTo(700),
            firstYear: firstYear, year: min(2025, firstYear + draws.upTo(20)))
    }
}

/// A generated book, as one record of a library has it.
struct GeneratedBook {
    /// Whether the record has an ISBN.
    enum ISBN { case valid, wrongCheckDigit, none }

    /// Number of the record. Its user's data follow from it.
    var record: Int
    /// Number of the edition: that of its first record, or one that counts all editions.
    let number: Int
    /// Number of the work: that of its first record, or one that counts the works.
    let work: Int
    /// Number of the work whose title it has; nil for its own.
    var title: Int?
    let author: Int
    let furtherAuthors: Int
    let authorCount: Int
    /// Position in a series; nil without a series.
    let series: Int?
    let isbn: ISBN
    /// Whether the matching catalog has the work.
    let isCatalogued: Bool
    let publisher: Int
    let binding: Int
    let pages: Int
    let firstYear: Int
    let year: Int
    var spelling = RowSpelling.usual
    /// In hundredths; nil if it follows from the record's number.
    var averageRating: Int?

    /// Number of a further author.
    func furtherAuthor(_ place: Int) -> Int { (author + 1 + 97 * place) % authorCount }

    /// The nine digits between prefix and check digit. Multiplying by a number coprime to 10⁸ scatters them
    /// and keeps them distinct; a leading 0 or 1 is the English group, whose ranges are all in use.
    var isbnDigits: Int { (number & 1) * 100_000_000 + (number / 2 + 1) * 36_028_813 % 100_000_000 }
}

extension SeededGenerator {
    /// A number from 0 to one less than the bound.
    mutating func upTo(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) * UInt64(bound)) >> 32)
    }
}
