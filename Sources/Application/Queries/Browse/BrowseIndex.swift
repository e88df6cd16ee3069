import Books
import Bytes
package import Database
import Formats
import Store
package import System

/// The entries of a library in memory, as far as a page needs them to filter, to count and to sort. It is made for one
/// state of the store and then only read.
///
/// An entry takes about 150 bytes. Its values stand in columns:
/// those of a facet one after the other (`starts`, `values`), the orders as lists of places.
package struct BrowseIndex: Sendable {
    /// The values of one facet.
    struct Column: Sendable {
        var names: [String] = []
        /// Where the values of each entry start; one more than there are entries.
        var starts: [UInt32] = [0]
        var values: [UInt32] = []
        private var numbers: [String: UInt32] = [:]

        func values(of place: Int) -> ArraySlice<UInt32> {
            values[Int(starts[place])..<Int(starts[place + 1])]
        }

        func number(of name: String) -> UInt32? { numbers[name] }

        fileprivate mutating func append(_ entry: some Sequence<String>) {
            let start = values.count
            for name in entry where !name.isEmpty {
                let number = numbers[name] ?? UInt32(names.count)
                if Int(number) == names.count {
                    names.append(name)
                    numbers[name] = number
                }
                if !values[start...].contains(number) { values.append(number) }
            }
            starts.append(UInt32(values.count))
        }
    }

    /// The entries in one order: those with a value, and behind them those without.
    struct Ranking: Sendable {
        var present: [UInt32]
        var missing: [UInt32]
    }

    /// The entries' numbers, ascending.
    private(set) var numbers: [Int64] = []
    private(set) var columns: [BrowseQuery.Facet: Column] = [:]
    private(set) var rankings: [BrowseQuery.Order: Ranking] = [:]
    /// Folded titles and names, a blank before each word, and a zero byte behind each entry.
    private(set) var text: [UInt8] = []
    private(set) var textStarts: [Int] = [0]
    /// The jobs with records whose book the user decides, and their numbers of these; the latest job first.
    package private(set) var undecided: [(job: String, count: Int)] = []
    /// The number of books; there are more entries if books have several.
    private(set) var books = 0

    /// Memory that it takes in bytes, about.
    package var size: Int {
        let columns = columns.values.reduce(0) {
            $0 + ($1.starts.count + $1.values.count) * 4 + $1.names.count * 64
        }
        return text.count + numbers.count * (16 + 4 * rankings.count) + columns
    }

    /// Reads a library in one state of the store.
    ///
    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - library: The library; nil for all.
    package init(_ connection: Connection, library: String?) throws(ETLError) {
        self = try connection.snapshot { () throws(ETLError) in
            var maker = Maker()
            try maker.read(connection, library)
            return maker.finished()
        }
    }

    private init() {}

    // MARK: Making it

    private struct Maker {
        private var index = BrowseIndex()
        private var columns = [Column](repeating: Column(), count: BrowseQuery.Facet.allCases.count)
        private var titles: [[UInt8]] = []
        private var authors: [[UInt8]] = []
        private var years: [Int32] = []
        private var ratings: [Int32] = []
        private var added: [Int32] = []
        private var readOn: [Int32] = []
        /// The entries whose book the user decides.
        private var toDecide: Set<Int64> = []
        private var books: Set<LibraryBook> = []

        mutating func read(_ connection: Connection, _ library: String?) throws(ETLError) {
            // By row id, so that the numbers ascend.
            let rows = try connection.query(
                """
                SELECT e.id, w.id, \(ShownTitle.sql), e.shelf, e.shelves, e.rating, w.genres,
                    w.first_publication_year, d.language, d.format, e.date_added, e.date_read,
                    e.review IS NOT NULL, coalesce(d.cover, w.cover) IS NULL, d.isbn IS NULL,
                    e.library
                FROM entries e CROSS JOIN editions d ON d.id = e.edition CROSS JOIN works w ON w.id = d.work
                WHERE ?1 IS NULL OR e.library = (SELECT id FROM libraries WHERE name = ?1) ORDER BY e.id
                """, library)
            let names = try ContributorNames(connection)
            try readUndecided(connection, library)
            while try rows.next() { try add(rows, names) }
        }

        private mutating func readUndecided(
            _ connection: Connection, _ library: String?
        ) throws(ETLError) {
            let jobs = try connection.query(
                """
                SELECT j.id, j.name FROM (SELECT DISTINCT job FROM reviews) r JOIN jobs j ON j.id = r.job
                WHERE ?1 IS NULL OR j.library = (SELECT id FROM libraries WHERE name = ?1) ORDER BY j.id DESC
                """, library)
            while try jobs.next() {
                let job = jobs.integer(0)
                let reviews = try ReviewRows(ofJob: job, in: connection)
                var count = 0
                while let review = try reviews.next() {
                    guard review.decision == nil else { continue }
                    count += 1
                    let (row, file) = (review.place.row, review.place.file)
                    let record = try PackedOutcomesReader.record(row, file: file, of: job, in: connection)
                    if let record { toDecide.insert(record.entry) }
                }
                if count > 0 { index.undecided.append((jobs.string(1), count)) }
            }
        }

        private mutating func add(_ row: Statement, _ names: ContributorNames) throws(ETLError) {
            index.numbers.append(row.integer(0))
            books.insert(LibraryBook(library: row.integer(15), work: row.integer(1)))
            var title: [UInt8] = []
            if !row.isNull(2) { row.withBytes(2) { Folding.fold($0, into: &title) } }
            index.append(words: title)
            var author: [UInt8]?
            try names.forEachAuthor(of: row.integer(1)) { name in
                var folded: [UInt8] = []
                Folding.fold(name, into: &folded)
                index.append(words: folded)
                if author == nil { author = Self.familyFirst(folded) }
            }
            index.text.append(0)
            index.textStarts.append(index.text.count)
            titles.append(Array(TitleWords.withoutArticle(String(decoding: title, as: UTF8.self)).utf8))
            authors.append(author ?? [])
            let status = row.optionalString(3) ?? ""
            let shelves = ShelfList.names(in: row.optionalString(4) ?? "")
            let rating = row.isNull(5) ? 0 : row.double(5)
            let year = row.optionalInteger(7) ?? 0
            var marks: [BrowseQuery.Mark] = []
            if toDecide.contains(row.integer(0)) { marks.append(.toDecide) }
            if row.integer(12) != 0 { marks.append(.reviewed) }
            if row.integer(13) != 0 { marks.append(.noCover) }
            if row.integer(14) != 0 { marks.append(.noISBN) }
            append(.status, [status])
            append(.shelf, shelves.filter { $0 != status })
            append(.rating, rating > 0 ? [String(Int(rating))] : [])
            append(.genre, row.isNull(6) ? [] : row.withBytes(6) { StoredList.strings($0) })
            append(.decade, year > 0 ? ["\(year / 10 * 10)s"] : [])
            append(.language, [row.optionalString(8) ?? ""])
            append(.format, [row.optionalString(9) ?? ""])
            append(.only, marks.map(\.rawValue))
            years.append(Int32(clamping: year))
            ratings.append(Int32(rating * 100))
            added.append(Self.day(row.optionalString(10)))
            readOn.append(Self.day(row.optionalString(11)))
        }

        private mutating func append(_ facet: BrowseQuery.Facet, _ values: [String]) {
            guard let place = BrowseQuery.Facet.allCases.firstIndex(of: facet) else { return }
            columns[place].append(values)
        }

        /// The words of a folded name in the order in which people look for it: the last one first.
        private static func familyFirst(_ folded: [UInt8]) -> [UInt8] {
            guard let blank = folded.lastIndex(of: UInt8(ascii: " ")) else { return folded }
            return Array(folded[(blank + 1)...]) + [UInt8(ascii: " ")] + folded[..<blank]
        }

        /// A stored date as a number that grows with it; 0 for text that is no date.
        private static func day(_ date: String?) -> Int32 {
            date.flatMap { CalendarDate($0) }?.value ?? 0
        }

        func finished() -> BrowseIndex {
            var index = index
            index.books = books.count
            for (facet, column) in zip(BrowseQuery.Facet.allCases, columns) { index.columns[facet] = column }
            index.rankings = [
                .added: Self.descending(added), .year: Self.descending(years),
                .rating: Self.descending(ratings), .read: Self.descending(readOn),
                .title: Self.ascending(titles), .author: Self.ascending(authors),
            ]
            return index
        }

        /// The largest value first; of equal ones, the latest entry.
        private static func descending(_ values: [Int32]) -> Ranking {
            let places = values.indices.reversed().map { UInt32($0) }
            let present = places.filter { values[Int($0)] != 0 }
            return Ranking(
                present: present.sorted {
                    (values[Int($0)], $0) > (values[Int($1)], $1)
                }, missing: places.filter { values[Int($0)] == 0 })
        }

        private static func ascending(_ values: [[UInt8]]) -> Ranking {
            let places = values.indices.map { UInt32($0) }
            let present = places.filter { !values[Int($0)].isEmpty }
            return Ranking(
                present: present.sorted {
                    let (first, second) = (values[Int($0)], values[Int($1)])
                    return first == second ? $0 < $1 : first.lexicographicallyPrecedes(second)
                }, missing: places.filter { values[Int($0)].isEmpty })
        }
    }

    private mutating func append(words folded: [UInt8]) {
        guard !folded.isEmpty else { return }
        text.append(UInt8(ascii: " "))
        text += folded
    }
}
