package import Bytes

/// A record of the MARC family as leader, fields and subfields. The content is not interpreted.
///
/// Texts are UTF-8 in a batch's ``Arena``. The value is reused for each record to reuse its memory.
package struct MARCRecord {
    /// A field: `245 10 $aHyperion /$cDan Simmons.` Fields below 010 have a value and no subfields.
    package struct Field {
        /// Three characters, nearly always digits.
        package var tag: MARCTag
        package var indicator1: UInt8
        package var indicator2: UInt8
        /// The value of a field without subfields.
        package var value: Text
        /// Range in ``MARCRecord/subfields``.
        package var subfields: Range<Int>
    }

    /// A part of a field: `$aHyperion`.
    package struct Subfield {
        /// A lower-case letter or a digit.
        package var code: UInt8
        package var value: Text
    }

    /// Length of a leader in bytes.
    package static let leaderLength = 24

    /// The 24 characters at the beginning of the record, as written; fewer if the record has fewer.
    package var leader: Text = .none
    package var fields: [Field] = []
    package var subfields: [Subfield] = []

    package init() {}

    package mutating func removeAll() {
        leader = .none
        fields.removeAll(keepingCapacity: true)
        subfields.removeAll(keepingCapacity: true)
    }

    /// The fields with a tag, in the record's order.
    package func fields(_ tag: MARCTag) -> some Sequence<Field> {
        fields.lazy.filter { $0.tag == tag }
    }

    /// A field's first subfield with a code; the absent text if there is none.
    package func first(_ code: UInt8, of field: Field) -> Text {
        subfields[field.subfields].first { $0.code == code }?.value ?? .none
    }
}

/// A field's tag, such as 245, in four bytes.
package struct MARCTag: Hashable, ExpressibleByIntegerLiteral {
    private var characters: (UInt8, UInt8, UInt8)

    init(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
        characters = (first, second, third)
    }

    /// A tag from a text; `42` becomes 042.
    init(_ text: some Collection<UInt8>) {
        self.init(integerLiteral: 0)
        for byte in text.prefix(3) { characters = (characters.1, characters.2, byte) }
    }

    /// - Parameter number: 0 to 999.
    package init(integerLiteral number: Int) {
        let digit = { (value: Int) in UInt8(ascii: "0") + UInt8(value % 10) }
        self.init(digit(number / 100), digit(number / 10), digit(number))
    }

    /// Whether this is a control field, 001 to 009. Control fields have no indicators and no subfields.
    var isControl: Bool { characters.0 == UInt8(ascii: "0") && characters.1 == UInt8(ascii: "0") }

    package static func == (a: MARCTag, b: MARCTag) -> Bool { a.characters == b.characters }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(characters.0)
        hasher.combine(characters.1)
        hasher.combine(characters.2)
    }
}
