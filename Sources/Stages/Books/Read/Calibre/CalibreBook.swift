import Bytes
import Syntax

/// An entry as the `metadata.opf` of a calibre library.
struct CalibreBook {
    /// Formats whose entries came from calibre, so that their other cells are calibre's.
    private static let own: Set<String> = ["calibre", "calibre-db"]
    /// Cells that calibre has a place for, although `etl` does not use them.
    private static let description = "comments"

    private let entry: LibraryEntry
    private let number: Int
    /// The keys of cells that are written as they are.
    private(set) var keptCells: Set<String> = []
    private var out: [UInt8] = []

    /// The file.
    private(set) var document: [UInt8] = []

    /// - Parameters:
    ///   - number: Its number in the library, which is also in the name of its folder.
    ///   - losses: Receives what calibre cannot hold in its columns.
    init(_ entry: LibraryEntry, number: Int, _ losses: inout EntryLosses) {
        self.entry = entry
        self.number = number
        if Self.own.contains(entry.formatName) {
            keptCells = Set(
                entry.cells.filter { !$0.value.isMapped && Self.isKept($0.value) }.keys)
        }
        // calibre's books are files, whatever they were before.
        if let format = entry.format, format != .ebook { losses.lose(.format, format.contractName) }
        out +=
            """
            <?xml version="1.0" encoding="utf-8"?>
            <package xmlns="http://www.idpf.org/2007/opf" version="2.0">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">

            """.utf8
        addIdentifiers()
        addTexts(&losses)
        addNumbers(&losses)
        addOwnColumns(&losses)
        out += "</metadata>\n</package>\n".utf8
        document = out
    }

    private static func isKept(_ cell: LibraryEntry.OwnCell) -> Bool {
        cell.column == description || CalibreOwnColumn.label(of: cell.column) != nil
    }

    // MARK: calibre's own columns

    private mutating func addIdentifiers() {
        let identifiers: [(kind: String, value: String)] = [
            ("calibre", "\(number)"), ("isbn", entry[.isbn]), ("goodreads", entry[.goodreadsBook]),
            ("amazon", entry[.asin]), ("oclc", entry[.oclcNumber]), ("lccn", entry[.lccn]),
        ]
        for (kind, value) in identifiers { add("dc:identifier", ["opf:scheme": kind], value) }
    }

    private mutating func addTexts(_ losses: inout EntryLosses) {
        add("dc:title", [:], entry[.title])
        for name in entry.allNames(&losses) {
            // To calibre, this sign and these words stand between two names.
            let written = name.replacing("&", with: "\u{FF06}")
            losses.lose(.authors, name, as: written.replacing(#/(?i),?\s+(and|with)\s+/#, with: " & "))
            add("dc:creator", ["opf:file-as": LayoutText.inverted(name), "opf:role": "aut"], written)
        }
        add("dc:publisher", [:], entry[.publisher])
        add("dc:language", [:], entry[.language])
        if keptCells.contains(Self.description) {
            add("dc:description", [:], entry.cells[Self.description]?.text ?? "")
        }
        for tag in entry.tags {
            // calibre separates tags at commas.
            let written = tag.replacing(",", with: "")
            losses.lose(.shelves, tag, as: written)
            add("dc:subject", [:], written)
        }
    }

    private mutating func addNumbers(_ losses: inout EntryLosses) {
        add("dc:date", [:], published(&losses))
        if let rating = entry.rating(steps: 2, &losses) { addMeta("rating", "\(Int(rating * 2))") }
        if let series = entry.series.first {
            addMeta("series", series.name)
            if Double(series.number) != nil {
                addMeta("series_index", series.number)
            } else {
                losses.lose(.series, series.text, as: series.name)
            }
        }
        for series in entry.series.dropFirst() { losses.lose(.series, series.text) }
        addMeta("timestamp", day(entry[.dateAdded], .dateAdded, &losses))
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
        return Self.noon(first)
    }

    /// A stored date as calibre writes it; empty if it is not a whole date.
    private func day(_ text: String, _ field: EntryField, _ losses: inout EntryLosses) -> String {
        guard let date = CalendarDate(text), date.day > 0, date.year > 101 else {
            losses.lose(field, text)
            return ""
        }
        return Self.noon(date)
    }

    /// Noon in Greenwich is on the same day in almost all time zones. calibre shows times in the user's.
    private static func noon(_ date: CalendarDate) -> String { "\(date)T12:00:00+00:00" }

    private mutating func addMeta(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        out += "<meta name=\"calibre:\(name)\" content=\"".utf8
        out.append(markup: value)
        out += "\"/>\n".utf8
    }

    private mutating func add(_ name: String, _ attributes: KeyValuePairs<String, String>, _ text: String) {
        guard !text.isEmpty else { return }
        out += "<\(name)".utf8
        for (key, value) in attributes {
            out += " \(key)=\"".utf8
            out.append(markup: value)
            out += "\"".utf8
        }
        out += ">".utf8
        out.append(markup: text)
        out += "</\(name)>\n".utf8
    }

    // MARK: The user's own columns

    private mutating func addOwnColumns(_ losses: inout EntryLosses) {
        let reading = entry.readings.last
        add(.status, entry[.shelf])
        add(.dateRead, day(reading?.finished ?? "", .dateRead, &losses))
        add(.dateStarted, day(reading?.started ?? "", .dateStarted, &losses))
        add(.readCount, entry[.readCount])
        add(.ownedCopies, entry[.ownedCopies])
        add(.purchaseDate, day(entry[.purchaseDate], .purchaseDate, &losses))
        add(.pages, entry[.pageCount])
        add(.originalYear, LayoutText.year(entry[.firstPublicationYear]))
        add(.originalLanguage, entry[.originalLanguage])
        add(.review, entry[.review])
        add(.notes, entry[.notes])
        let subjects = entry.subjects(separator: ",", &losses).split(separator: ",")
        addMeta(CalibreOwnColumn.genres, values: subjects.map(String.init))
        for key in keptCells.sorted() {
            guard let cell = entry.cells[key], let label = CalibreOwnColumn.label(of: cell.column) else {
                continue
            }
            add(CalibreOwnColumn(label: label, name: label, kind: .text), cell.text)
        }
    }

    private mutating func add(_ column: CalibreOwnColumn, _ text: String) {
        if !text.isEmpty { addMeta(column, values: [text]) }
    }

    private mutating func addMeta(_ column: CalibreOwnColumn, values: [String]) {
        guard let json = column.definition(with: values) else { return }
        addMeta("user_metadata:#\(column.label)", json)
    }
}
