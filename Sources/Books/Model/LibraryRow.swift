package import Bytes
package import System

/// One record of a library export as its format parsed it: the cells as read, and what they say about the
/// book.
package struct LibraryRow: Sendable {
    /// Start of the record.
    package var position: Position
    /// The record's bytes as read, without the line end.
    package var raw: Text
    /// The record's cells, in ``LibraryRows/cells``: unquoted, otherwise unchanged.
    package var cells: Range<Int>
    /// Title without its series, blanks collapsed. Empty if the record has none.
    package var title: Text = .none
    /// Series from the title or a column, in ``LibraryRows/series``.
    package var series: Range<Int> = 0..<0
    /// Authors and contributors in the order of the record, the first author first, in
    /// ``LibraryRows/people``.
    package var people: Range<Int> = 0..<0
    /// The edition format of the binding; nil if the text maps to none.
    package var format: EditionFormat?
    /// Values the format derived for fields whose cells need interpretation, in ``LibraryRows/readings``.
    package var readings: Range<Int> = 0..<0
    /// Why the format sets the record aside, for example a film; nil for a book.
    package var refusal: ReasonCode?
    /// Observations of the parser: a repair, damage, a guess.
    package var warnings: [Warning] = []
    /// Fields whose cells cannot be read, such as `########` for a date. They replace no stored value.
    package var unreadable = LibraryFields()
    /// Whether the file ends within the record, as after an interrupted download. The last cell may be
    /// incomplete, and others may be missing.
    package var isCutOff = false
    /// A hash of the values that the user's rules have changed; 0 if there are none. With other rules, the same record
    /// says something else.
    package var ruleHash: UInt64 = 0

    /// A row with only its record; the format fills in the rest.
    package init(position: Position, raw: Text, cells: Range<Int>) {
        self.position = position
        self.raw = raw
        self.cells = cells
    }
}

/// The value a format derived for a field: `2025-05-18` from the cell `2025/05/18-2025/05/26`. The cell
/// itself is stored unchanged. Code that asks for the field gets this value.
package struct FieldReading: Sendable, Hashable {
    /// The field.
    package var field: LibraryField
    /// The value; empty if the cell has no meaning.
    package var value: Text

    /// A reading of a field.
    package init(field: LibraryField, value: Text) {
        self.field = field
        self.value = value
    }
}

/// A series and the book's position in it, as the source spells it: `1`, `0.5`, `1-3`, or empty.
package struct SeriesMention: Sendable, Hashable {
    /// The series' name, blanks collapsed.
    package var name: Text
    /// The position in the series; empty if unknown.
    package var number: Text

    /// A mention. Both texts are in the batch's arena.
    package init(name: Text, number: Text) {
        self.name = name
        self.number = number
    }
}

/// A person named in a record.
package struct Person: Sendable, Hashable {
    /// Name in reading order, blanks collapsed: `Ursula K. Le Guin`.
    package var name: Text
    /// The first person of a record is its author; the others are contributors.
    package var role: ContributorRole
    /// The name as the record has it if a rule of the user has changed it; else empty. Keys of entries are made of it,
    /// so that they do not depend on rules.
    package var written: Text = .none

    /// A person. The name is in the batch's arena.
    package init(name: Text, role: ContributorRole) {
        self.name = name
        self.role = role
    }

    /// The name as the record has it.
    package var nameInFile: Text { written.isEmpty ? name : written }
}

/// Something noticed about a record that is still imported: an impossible ISBN, a repair, damaged quotes.
package struct Warning: Sendable, Hashable {
    /// Stable code, `lower_snake_case`, one of the raw values of ``ReasonCode``.
    package var code: String
    /// The column, as the file spells it.
    package var field: String?
    /// The value.
    package var value: String
    /// One sentence.
    package var message: String

    /// For a ``ReasonCode``, `Warning(_:field:value:)` adds the sentence itself.
    package init(code: String, field: String? = nil, value: String, message: String) {
        self.code = code
        self.field = field
        self.value = value
        self.message = message
    }
}

/// A person's role in a book.
package enum ContributorRole: UInt8, Sendable, CaseIterable, Hashable {
    case author
    /// Listed after the author without a stated role, as in Goodreads' Additional Authors: a co-author,
    /// translator, illustrator or editor.
    case contributor
    case translator, illustrator, editor, narrator

    /// Whether a person with this role can be an author of the book.
    package var canBeAuthor: Bool { self == .author || self == .contributor }
}
