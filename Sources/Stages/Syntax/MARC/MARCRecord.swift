/// A library record of the MARC family, taken apart: leader, fields, subfields. Nothing in it is interpreted.
///
/// Texts are UTF-8 in a batch's ``Arena``. The value is filled again for each record, so that its memory is used
/// again.
struct MARCRecord {
    /// A field: `245 10 $aHyperion /$cDan Simmons.` Fields below 010 have a value and no subfields.
    struct Field {
        /// Three characters, digits nearly always.
        var tag: MARCTag
        var indicator1: UInt8
        var indicator2: UInt8
        /// The value of a field without subfields.
        var value: Text
        /// In ``MARCRecord/subfields``.
        var subfields: Range<Int>
    }

    struct Subfield {
        /// A lower-case letter or a digit.
        var code: UInt8
        var value: Text
    }

    /// Bytes a leader has.
    static let leaderLength = 24

    /// The 24 characters at the record's head, as they stand; shorter where the record has fewer.
    var leader: Text = .none
    var fields: [Field] = []
    var subfields: [Subfield] = []

    mutating func removeAll() {
        leader = .none
        fields.removeAll(keepingCapacity: true)
        subfields.removeAll(keepingCapacity: true)
    }

    /// The fields of a tag, in the order of the record.
    func fields(_ tag: MARCTag) -> some Sequence<Field> {
        fields.lazy.filter { $0.tag == tag }
    }

    /// A field's first subfield of a code; the absent text without one.
    func first(_ code: UInt8, of field: Field) -> Text {
        subfields[field.subfields].first { $0.code == code }?.value ?? .none
    }
}

/// A field's tag, such as 245, in four bytes.
struct MARCTag: Hashable, ExpressibleByIntegerLiteral {
    private var characters: (UInt8, UInt8, UInt8)

    init(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
        characters = (first, second, third)
    }

    /// A tag as a text gives it: `42` is 042.
    init(_ text: some Collection<UInt8>) {
        self.init(integerLiteral: 0)
        for byte in text.prefix(3) { characters = (characters.1, characters.2, byte) }
    }

    /// - Parameter number: 0 to 999.
    init(integerLiteral number: Int) {
        let digit = { (value: Int) in UInt8(ascii: "0") + UInt8(value % 10) }
        self.init(digit(number / 100), digit(number / 10), digit(number))
    }

    /// Whether the field is a control field, which has no indicators and no subfields: 001 to 009.
    var isControl: Bool { characters.0 == UInt8(ascii: "0") && characters.1 == UInt8(ascii: "0") }

    static func == (a: MARCTag, b: MARCTag) -> Bool { a.characters == b.characters }

    func hash(into hasher: inout Hasher) {
        hasher.combine(characters.0)
        hasher.combine(characters.1)
        hasher.combine(characters.2)
    }
}
