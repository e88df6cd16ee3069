package import Books

/// The form in which another program reads a library: the counterpart of a ``LibraryFormat``. A format that is both
/// stands in one file, so reading and writing cannot diverge.
package protocol ExportLayout: Sendable {
    /// Name on the command line: `goodreads`.
    var name: String { get }
    /// The program's name for people: `Goodreads`.
    var title: String { get }
    /// Fields that it can express, at least in part. All other fields of an entry are lost.
    var fields: Set<EntryField> { get }
    /// Whether it is a folder with a file for each entry, and not one file.
    var isFolder: Bool { get }
    /// A writer for one export.
    func makeWriter() -> any LayoutWriter
}

/// Writes the entries of one export. All entries are surveyed before the first one is written, because a layout
/// may have columns only if an entry needs them.
package protocol LayoutWriter: AnyObject {
    /// Notes an entry's needs, and the values that get lost or changed.
    func survey(_ entry: LibraryEntry, losses: inout EntryLosses)
    /// Begins the output, after the survey.
    func begin()
    /// Adds an entry to the output.
    func write(_ entry: LibraryEntry)
    /// Ends the output.
    func end()
    /// Removes and returns the bytes written so far.
    func take() -> [UInt8]
    /// The file of the entry that was written last, in the folder of the export. Empty if the export is one file.
    var file: String { get }
}

extension LayoutWriter {
    package var file: String { "" }
}

/// A value that a layout cannot say, or says in another way.
package struct EntryLoss: Sendable, Hashable {
    /// An ``EntryField``'s raw value, or the name of a column that only the entry's own format has.
    package var field: String
    package var value: String
    /// Replacement; empty for nothing.
    package var written: String
}

/// Losses of one entry.
package struct EntryLosses: Sendable {
    package private(set) var list: [EntryLoss] = []

    package init() {}

    package mutating func removeAll() { list.removeAll(keepingCapacity: true) }

    /// Notes that a value is not written, or is written in another way.
    package mutating func lose(_ field: EntryField, _ value: String, as written: String = "") {
        lose(field.rawValue, value, as: written)
    }

    /// The same for the column of another format.
    package mutating func lose(_ field: String, _ value: String, as written: String = "") {
        guard !value.isEmpty, value != written else { return }
        list.append(EntryLoss(field: field, value: value, written: written))
    }
}

extension ExportLayout {
    package var isFolder: Bool { false }

    /// Notes everything that an entry says and the layout has no place for.
    ///
    /// - Parameter kept: The keys of columns whose cells are written as they are.
    package func noteMissing(
        in entry: LibraryEntry, keeping kept: Set<String> = [], losses: inout EntryLosses
    ) {
        for field in EntryField.allCases where !fields.contains(field) {
            // The program has both copies that it has listed.
            if field == .copies, entry.formatName == name { continue }
            if let value = entry.value(of: field) { losses.lose(field, value) }
        }
        let cells = entry.cells.filter { !$0.value.isMapped && !kept.contains($0.key) }.values
        for cell in cells.sorted(by: { $0.column < $1.column }) where !Self.isDefault(cell.text) {
            losses.lose(cell.column, cell.text)
        }
    }

    /// Whether a cell has what programs write where the user has said nothing: zero or `false`. `No` is an answer.
    private static func isDefault(_ text: String) -> Bool {
        Double(text) == 0 || text.lowercased() == "false"
    }
}
