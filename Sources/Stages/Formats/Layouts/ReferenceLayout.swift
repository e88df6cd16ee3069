package import Books
import Bytes
import Syntax

/// A layout of a reference manager: one text for each entry.
package struct ReferenceLayout: ExportLayout {
    /// The text of an entry. The key is unique in the export.
    typealias Record = @Sendable (LibraryEntry, _ key: String, inout EntryLosses) -> String

    package let name: String
    package let title: String
    package let fields: Set<EntryField>
    /// Text before the first record, between two, and after the last.
    let frame: (opening: String, separator: String, closing: String)
    let record: Record

    init(
        _ name: String, _ title: String, fields: Set<EntryField>,
        frame: (opening: String, separator: String, closing: String), record: @escaping Record
    ) {
        self.name = name
        self.title = title
        self.fields = fields
        self.frame = frame
        self.record = record
    }

    package func makeWriter() -> any LayoutWriter { ReferenceWriter(self) }

    /// Fields of an entry that all reference managers can express.
    static let commonFields: Set<EntryField> = [
        .title, .authors, .contributors, .series, .isbn, .publisher, .publishedDate, .firstPublicationYear,
        .pageCount, .language, .categories, .shelves, .review, .notes, .copies,
    ]

    /// The tags, then the subjects that the user's row names and that are not among them. Reference managers, and
    /// imports of such a file, take all keywords for tags of the user, so genres that were derived are not written.
    static func keywords(of entry: LibraryEntry, _ losses: inout EntryLosses) -> [String] {
        let subjects = entry.areSubjectsDerived ? [] : entry.subjects
        for subject in subjects { losses.lose(.categories, subject, as: "keyword \(subject)") }
        var seen = Set(entry.tags.map { $0.lowercased() })
        return entry.tags + subjects.filter { seen.insert($0.lowercased()).inserted }
    }

    /// A text in one line, because reference managers read no line breaks.
    static func line(
        _ field: EntryField, of entry: LibraryEntry, _ losses: inout EntryLosses
    ) -> String {
        let line = entry[field].split(whereSeparator: \.isNewline).joined(separator: " ")
        losses.lose(field, entry[field], as: line)
        return line
    }

    /// Notes the people whose role the layout has no place for.
    static func noteRoles(
        of entry: LibraryEntry, except known: Set<ContributorRole>, _ losses: inout EntryLosses
    ) {
        for person in entry.helpers where !known.contains(person.role) {
            losses.lose(.contributors, "\(person.name) (\(person.role))")
        }
    }

    /// Notes all series but the first.
    static func noteSeries(of entry: LibraryEntry, _ losses: inout EntryLosses) {
        for series in entry.series.dropFirst() { losses.lose(.series, series.text) }
    }
}

/// Writes a ``ReferenceLayout``. It remembers eight bytes for each record, so that keys are unique.
final class ReferenceWriter: LayoutWriter {
    private let layout: ReferenceLayout
    private var out: [UInt8] = []
    private var keys: Set<UInt64> = []
    private var isFirst = true
    private var unread = EntryLosses()

    init(_ layout: ReferenceLayout) { self.layout = layout }

    func survey(_ entry: LibraryEntry, losses: inout EntryLosses) {
        _ = layout.record(entry, "", &losses)
        layout.noteMissing(in: entry, losses: &losses)
    }

    func begin() { out += layout.frame.opening.utf8 }

    func write(_ entry: LibraryEntry) {
        if !isFirst { out += layout.frame.separator.utf8 }
        isFirst = false
        unread.removeAll()
        out += layout.record(entry, uniqueKey(of: entry), &unread).utf8
    }

    func end() { out += layout.frame.closing.utf8 }

    func take() -> [UInt8] {
        defer { out.removeAll(keepingCapacity: true) }
        return out
    }

    /// `leguin1968wizard`, and with a number if another entry has the same.
    private func uniqueKey(of entry: LibraryEntry) -> String {
        let family = entry.people.first.map { LayoutText.familyFirst($0.name).family } ?? ""
        let words = entry[.title].split(separator: " ").map(Self.letters).filter { $0.count > 3 }
        let base = Self.letters(family) + LayoutText.year(entry[.publishedDate]) + (words.first ?? "")
        var key = base.isEmpty ? "book" : base
        var number = 1
        while !keys.insert(Self.hash(key)).inserted {
            number += 1
            key = "\(base.isEmpty ? "book" : base)-\(number)"
        }
        return key
    }

    private static func letters(_ text: some StringProtocol) -> String {
        Folding.fold(String(text)).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { KeyHash.hash(UnsafeRawBufferPointer($0)) }
    }
}
