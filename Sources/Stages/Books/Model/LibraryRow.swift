public import Bytes
public import Pipeline

/// One record of a library export as its profile read it: the cells as they stood, and what they say of the book.
public struct LibraryRow: Sendable {
    /// Where the record begins.
    public var position: Position
    /// The record's bytes as they were read, without the line end.
    public var raw: Text
    /// The record's cells, in ``LibraryRows/cells``: unquoted, otherwise untouched.
    public var cells: Range<Int>
    /// Title without its series, blanks folded. Empty where the record has none.
    public var title: Text = .none
    /// Series the title or a column named, in ``LibraryRows/series``.
    public var series: Range<Int> = 0..<0
    /// People in the order of the record, the first author first, in ``LibraryRows/people``.
    public var people: Range<Int> = 0..<0
    /// The binding as an edition format; nil where the text maps to none.
    public var format: EditionFormat?
    /// What the profile made of fields whose cells do not say it as it is meant, in ``LibraryRows/readings``.
    public var readings: Range<Int> = 0..<0
    /// Why the profile sets the record aside, as a film among books; nil for a book.
    public var refusal: ReasonCode?
    /// What the reader noticed: a repair, damage, a guess.
    public var notices: [Warning] = []
    /// Fields whose cells hold something that cannot be read, as `########` where a date should be: they replace nothing
    /// that is known.
    public var unreadable = LibraryFields()
    /// Whether only its beginning is known, as of a record that the file ends within after a download that was cut off:
    /// its last cell may be short, and others may be missing.
    public var isCutOff = false

    /// A row of which only the record is known yet: profiles fill in the rest.
    public init(position: Position, raw: Text, cells: Range<Int>) {
        self.position = position
        self.raw = raw
        self.cells = cells
    }
}

/// What a profile made of a field: `2025-05-18` of the cell `2025/05/18-2025/05/26`. The cell stays as it is, to be
/// carried along; whoever asks for the field gets this.
public struct FieldReading: Sendable, Hashable {
    /// The field it is of.
    public var field: LibraryField
    /// Empty where the cell, whatever it holds, says nothing.
    public var value: Text

    /// A reading with both its parts.
    public init(field: LibraryField, value: Text) {
        self.field = field
        self.value = value
    }
}

/// A series and the place in it, as the source spells it: `1`, `0.5`, `1-3`, or empty.
public struct SeriesMention: Sendable, Hashable {
    /// The series' name, blanks folded.
    public var name: Text
    /// The place in it; empty where none is told.
    public var number: Text

    /// A mention, both texts in the batch's arena.
    public init(name: Text, number: Text) {
        self.name = name
        self.number = number
    }
}

/// A person a record names.
public struct Person: Sendable, Hashable {
    /// Name in reading order, blanks folded: `Ursula K. Le Guin`.
    public var name: Text
    /// The first person of a record is its author, the others are contributors.
    public var role: ContributorRole

    /// A person, the name in the batch's arena.
    public init(name: Text, role: ContributorRole) {
        self.name = name
        self.role = role
    }
}

/// Something about a record worth telling that does not turn it away: an impossible ISBN, a repair, damaged quotes.
public struct Warning: Sendable, Hashable {
    /// Stable code, `lower_snake_case`, from the same documented list as the codes of rejects.
    public var code: String
    /// The column concerned, as the file spells it.
    public var field: String?
    /// The value concerned.
    public var value: String
    /// One sentence.
    public var message: String

    /// For a code of the list, `Warning(_:field:value:)` brings the sentence along.
    public init(code: String, field: String? = nil, value: String, message: String) {
        self.code = code
        self.field = field
        self.value = value
        self.message = message
    }
}

/// What a person did for a book.
public enum ContributorRole: UInt8, Sendable, CaseIterable, Hashable {
    case author
    /// Named beside the author without saying for what, as Goodreads' Additional Authors: co-author, translator,
    /// illustrator, editor.
    case contributor
    case translator, illustrator, editor, narrator
}
