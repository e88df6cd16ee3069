import Books
import Bytes
import Syntax

/// An entry as the `metadata.opf` of a calibre library.
struct CalibreBook {
    /// Formats whose entries came from calibre, so that their other cells are calibre's.
    private static let formats: Set<String> = ["calibre", database]
    /// The format of calibre's database.
    static let database = "calibre-db"
    /// Cells that calibre has a place for, although `etl` does not use them.
    private static let (description, identifiers, uuid) = ("comments", "identifiers", "uuid")

    private let entry: LibraryEntry
    private let number: Int
    private let spellings: CalibreSpellings
    /// The keys of cells that are written as they are.
    private(set) var keptCells: Set<String> = []
    /// The file.
    private(set) var document: [UInt8] = []

    /// - Parameters:
    ///   - number: Its number in the library, which is also in the name of its folder.
    ///   - spellings: Knows the names of the books before this one, and learns those of this one.
    ///   - losses: Receives what calibre cannot hold in its columns.
    init(
        _ entry: LibraryEntry, number: Int, _ spellings: CalibreSpellings, _ losses: inout EntryLosses
    ) {
        self.entry = entry
        self.number = number
        self.spellings = spellings
        if Self.formats.contains(entry.formatName) {
            keptCells = Set(
                entry.cells.filter { !$0.value.isMapped && Self.isKept($0.value) }.keys)
        }
        // calibre treats every book as an e-book.
        if let format = entry.format, format != .ebook { losses.lose(.format, format.contractName) }
        document +=
            """
            <?xml version="1.0" encoding="utf-8"?>
            <package xmlns="http://www.idpf.org/2007/opf" version="2.0">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">

            """.utf8
        addIdentifiers()
        addTexts(&losses)
        addNumbers(&losses)
        addCustomColumns(&losses)
        document += "</metadata>\n</package>\n".utf8
    }

    private static func isKept(_ cell: LibraryEntry.OwnCell) -> Bool {
        if [description, identifiers, uuid].contains(cell.column) { return true }
        let label = CalibreColumnDefinition.label(of: cell.column)
        return label != nil && !CalibreColumnDefinition.all.contains { $0.label == label }
    }

    // MARK: calibre's own columns

    private mutating func addIdentifiers() {
        var identifiers: [(kind: String, value: String)] = [
            ("calibre", "\(number)"), ("isbn", entry[.isbn]), ("goodreads", entry[.goodreadsBook]),
            ("amazon", entry[.asin]), ("oclc", entry[.oclcNumber]), ("lccn", entry[.lccn]),
        ]
        identifiers.append(("uuid", kept(Self.uuid)))
        // calibre's list of identifiers, of which only some have a field. A value can contain commas.
        for item in kept(Self.identifiers).split(separator: ",") {
            let parts = item.split(separator: ":", maxSplits: 1)
            let kind = parts[0].trimming(.spaces)
            if parts.count > 1, !identifiers.contains(where: { $0.kind == kind && !$0.value.isEmpty }) {
                identifiers.append((kind, parts[1].trimming(.spaces)))
            } else if parts.count == 1, let last = identifiers.indices.last {
                identifiers[last].value += ",\(item)"
            }
        }
        for (kind, value) in identifiers { add("dc:identifier", ["opf:scheme": kind], value) }
    }

    /// The text of a cell that is written as it is.
    private func kept(_ column: String) -> String {
        keptCells.contains(column) ? entry.cells[column]?.text ?? "" : ""
    }

    private mutating func addTexts(_ losses: inout EntryLosses) {
        add("dc:title", [:], entry[.title])
        let names = authors(&losses)
        // calibre writes this name for a missing author, and the word of the user's language if there is none.
        if names.isEmpty { add("dc:creator", ["opf:role": "aut"], CalibreBooks.unknownAuthor) }
        // Of the sort names, calibre reads only the first one.
        var sorted = names.map(LayoutText.inverted).joined(separator: " & ")
        for name in names {
            add("dc:creator", ["opf:file-as": sorted, "opf:role": "aut"], name)
            sorted = LayoutText.inverted(name)
        }
        add("dc:publisher", [:], spelled(entry[.publisher], .publisher, .publisher, &losses))
        add("dc:language", [:], entry[.language])
        add("dc:description", [:], kept(Self.description))
        let tags = entry.tags.map { tag in
            let written = spellings.spelling(ofElement: tag, in: .tags)
            losses.lose(.shelves, tag, as: written)
            return written
        }
        for tag in Self.unique(tags) { add("dc:subject", [:], tag) }
    }

    /// The people as calibre lists them, each once.
    private func authors(_ losses: inout EntryLosses) -> [String] {
        var authors: [String] = []
        for name in entry.allNames(&losses) {
            // calibre splits authors at `&` and at these words.
            let parts = name.replacing("&", with: "\u{FF06}").replacing(
                #/(?i),?\s+(and|with)\s+/#, with: "&"
            ).split(separator: "&").map { spellings.spelling(ofElement: String($0), in: .authors) }
            losses.lose(.authors, name, as: parts.joined(separator: " & "))
            authors += parts
        }
        return Self.unique(authors)
    }

    /// Each name once, and none that is empty.
    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<[UInt8]> = []
        return names.filter { !$0.isEmpty && seen.insert(Array($0.utf8)).inserted }
    }

    /// A name in the spelling that the library has.
    private func spelled(
        _ name: String, _ field: EntryField, _ column: CalibreSpellings.Column, _ losses: inout EntryLosses
    ) -> String {
        let written = spellings.spelling(of: name, in: column)
        losses.lose(field, name, as: written)
        return written
    }

    private mutating func addNumbers(_ losses: inout EntryLosses) {
        add("dc:date", [:], published(&losses))
        if let rating = entry.rating(steps: 2, &losses) { addMeta("rating", "\(Int(rating * 2))") }
        if let series = entry.series.first {
            let name = spellings.spelling(of: series.name, in: .series)
            addMeta("series", name)
            // calibre has no book of a series without a number, and two digits after the point.
            let isNumber = series.number.wholeMatch(of: #/[0-9]{1,9}(\.[0-9]{1,2})?/#) != nil
            if isNumber { addMeta("series_index", series.number) }
            losses.lose(.series, series.text, as: "\(name) #\(isNumber ? series.number : "1")")
        }
        for series in entry.series.dropFirst() { losses.lose(.series, series.text) }
        let added = day(entry[.dateAdded], .dateAdded, &losses)
        // Without a date, calibre takes the time at which it reads the file. This one is its sign for an unknown date.
        addMeta("timestamp", added.isEmpty ? "0101-01-01T00:00:00+00:00" : added)
    }

    /// The date of publication. calibre has only whole dates, in years after 101.
    private func published(_ losses: inout EntryLosses) -> String {
        let text = entry[.publishedDate]
        guard let date = CalendarDate(text), date.year > 101,
            let first = CalendarDate(year: date.year, month: max(1, date.month), day: max(1, date.day))
        else {
            losses.lose(.publishedDate, text)
            return ""
        }
        losses.lose(.publishedDate, text, as: first.description)
        return Self.time(on: first)
    }

    /// A stored date as calibre writes it; empty if it is not a whole date.
    private func day(_ text: String, _ field: EntryField, _ losses: inout EntryLosses) -> String {
        guard let date = CalendarDate(text), date.day > 0, date.year > 101 else {
            losses.lose(field, text)
            return ""
        }
        return Self.time(on: date)
    }

    /// A time that is on the same day in all time zones from Honolulu to Auckland. calibre shows the user's time.
    private static func time(on date: CalendarDate) -> String { "\(date)T10:00:00+00:00" }

    private mutating func addMeta(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        document += "<meta name=\"calibre:\(name)\" content=\"".utf8
        document.append(markup: value)
        document += "\"/>\n".utf8
    }

    private mutating func add(_ name: String, _ attributes: KeyValuePairs<String, String>, _ text: String) {
        guard !text.isEmpty else { return }
        document += "<\(name)".utf8
        for (key, value) in attributes {
            document += " \(key)=\"".utf8
            document.append(markup: value)
            document += "\"".utf8
        }
        document += ">".utf8
        document.append(markup: text)
        document += "</\(name)>\n".utf8
    }

    // MARK: Custom columns

    private mutating func addCustomColumns(_ losses: inout EntryLosses) {
        let reading = entry.readings.last
        add(.status, spelled(entry[.shelf], .shelf, .custom(CalibreColumnDefinition.status.label), &losses))
        add(.dateRead, day(reading?.finished ?? "", .dateRead, &losses))
        add(.dateStarted, day(reading?.started ?? "", .dateStarted, &losses))
        add(.readCount, number(.readCount, &losses))
        add(.ownedCopies, number(.ownedCopies, &losses))
        add(.purchaseDate, day(entry[.purchaseDate], .purchaseDate, &losses))
        let details: [(EntryField, CalibreColumnDefinition)] = [
            (.location, .location), (.lentTo, .lentTo), (.price, .price), (.condition, .condition),
            (.barcode, .barcode),
        ]
        for (field, column) in details {
            add(column, spelled(entry[field], field, .custom(column.label), &losses))
        }
        add(.pages, number(.pageCount, &losses))
        add(.originalYear, number(.firstPublicationYear, &losses))
        add(.originalLanguage, entry[.originalLanguage])
        add(.review, entry[.review])
        add(.notes, entry[.notes])
        addMeta(.genres, values: genres(&losses))
        for key in keptCells.sorted() {
            guard let cell = entry.cells[key], let label = CalibreColumnDefinition.label(of: cell.column)
            else {
                continue
            }
            let written = spellings.spelling(of: cell.text, in: .custom(label))
            losses.lose(cell.column, cell.text, as: written)
            add(CalibreColumnDefinition(label: label, name: label, kind: .text), written)
        }
    }

    /// The subjects, in which commas separate nothing.
    private func genres(_ losses: inout EntryLosses) -> [String] {
        let genres = entry.subjects.map { subject in
            let written = spellings.spelling(
                ofElement: subject.replacing(",", with: ""), in: .custom(CalibreColumnDefinition.genres.label)
            )
            if !entry.areSubjectsDerived { losses.lose(.categories, subject, as: written) }
            return written
        }
        return Self.unique(genres)
    }

    /// A whole number; empty for anything else.
    private func number(_ field: EntryField, _ losses: inout EntryLosses) -> String {
        let text = entry[field]
        let number = Int32(text).map(String.init) ?? Int32(LayoutText.year(text)).map(String.init) ?? ""
        losses.lose(field, text, as: number)
        return number
    }

    private mutating func add(_ column: CalibreColumnDefinition, _ text: String) {
        if !text.isEmpty { addMeta(column, values: [text]) }
    }

    private mutating func addMeta(_ column: CalibreColumnDefinition, values: [String]) {
        guard let json = column.definition(with: values) else { return }
        addMeta("user_metadata:#\(column.label)", json)
    }
}
