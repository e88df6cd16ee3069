import Books
import Formats
import Syntax

/// Values of a library that a layout cannot express: each field with the number of books, and the first ones as examples.
///
/// All that a book says in one field is one value: a book that loses five tags loses its `shelves` once.
package struct LossReport: Sendable {
    /// A value that gets lost.
    package struct Example: Sendable, Hashable {
        /// The book, as `TITLE` or `TITLE by AUTHOR`.
        package var book: String
        package var value: String
        /// Replacement; empty for nothing.
        package var written: String
    }

    /// The losses of one field.
    package struct Field: Sendable, Hashable {
        package var name: String
        /// Books for which the value, or a part of it, is not written.
        package var lost = 0
        /// Books for which all of the value is written, but in another way.
        package var changed = 0
        /// The first ones.
        package var examples: [Example] = []
    }

    /// Examples kept of each field.
    package static let maxExamples = 3

    /// The layout's name.
    package let layout: String
    /// Number of entries.
    package private(set) var entries = 0
    /// Number of entries that lose something.
    package private(set) var incomplete = 0
    /// Number of entries for which neither a title nor a number is written. No program can tell which books they are.
    package private(set) var unidentified = 0
    private var byName: [String: Field] = [:]

    init(layout: String) { self.layout = layout }

    /// The fields with losses: those of the library in a fixed order, then the columns of other programs.
    package var fields: [Field] {
        let known = EntryField.allCases.map(\.rawValue)
        return known.compactMap { byName[$0] }
            + byName.keys.filter { !known.contains($0) }.sorted().compactMap { byName[$0] }
    }

    /// Number of values that are not written, or in another way.
    package var count: Int { byName.values.reduce(0) { $0 + $1.lost + $1.changed } }

    mutating func note(_ losses: [EntryLoss], of entry: LibraryEntry) {
        entries += 1
        if !losses.isEmpty { incomplete += 1 }
        if !Self.isIdentified(entry, without: losses) { unidentified += 1 }
        for (name, losses) in Dictionary(grouping: losses, by: \.field) {
            var field = byName[name] ?? Field(name: name)
            let lost = losses.filter(\.written.isEmpty)
            if lost.isEmpty { field.changed += 1 } else { field.lost += 1 }
            if field.examples.count < Self.maxExamples {
                field.examples.append(Self.example(lost.isEmpty ? losses : lost, of: entry))
            }
            byName[name] = field
        }
    }

    /// The example that a book gives: its losses of one field, either all lost or all changed.
    private static func example(_ losses: [EntryLoss], of entry: LibraryEntry) -> Example {
        let written = losses.map(\.written).filter { !$0.isEmpty }
        return Example(
            book: book(entry), value: losses.map(\.value).joined(separator: ", "),
            written: written.joined(separator: ", "))
    }

    /// Whether something is written that says which book it is.
    private static func isIdentified(_ entry: LibraryEntry, without losses: [EntryLoss]) -> Bool {
        identifying.contains { field in
            entry.value(of: field) != nil
                && !losses.contains { $0.field == field.rawValue && $0.written.isEmpty }
        }
    }

    private static let identifying: [EntryField] = [
        .title, .isbn, .asin, .oclcNumber, .lccn, .openLibraryWork, .openLibraryEdition, .libraryThingWork,
        .goodreadsBook,
    ]

    /// The names of the columns of ``record(_:of:)``.
    static let columns = ["field", "value", "written", "title", "author", "library", "isbn13"]

    /// A line of the list of all losses.
    static func record(_ loss: EntryLoss, of entry: LibraryEntry) -> [String] {
        [
            loss.field, loss.value, loss.written, entry[.title], entry.people.first?.name ?? "",
            entry.library,
            entry[.isbn],
        ]
    }

    private static func book(_ entry: LibraryEntry) -> String {
        let author = entry.people.first?.name ?? ""
        return author.isEmpty ? entry[.title] : "\(entry[.title]) by \(author)"
    }
}
