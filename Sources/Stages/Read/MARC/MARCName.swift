/// Names of people as their headings have them.
enum MARCName {
    /// `Le Guin, Ursula K.,` as `Ursula K. Le Guin`; `John Paul` with `$bII,` as `John Paul II`.
    static func compose(_ field: MARCRecord.Field, of record: MARCRecord, in arena: inout Arena) -> Text {
        let heading = arena.bare(record.first(UInt8(ascii: "a"), of: field))
        guard !heading.isEmpty else { return .none }
        var name = arena.bytes(heading)
        // The indicator says whether the family name stands first; headings of bodies keep their commas.
        if field.indicator1 == UInt8(ascii: "1"), field.tag != 110,
            let comma = arena.withBytes(heading, { PersonName.inversion($0) })
        {
            let given = arena.bytes(arena.folded(heading.part(comma + 1..<Int(heading.length))))
            name = given + [0x20] + arena.bytes(arena.folded(heading.part(0..<comma)))
        }
        let numeration = arena.bytes(arena.bare(record.first(UInt8(ascii: "b"), of: field)))
        if !numeration.isEmpty, field.tag != 110 { name += [0x20] + numeration }
        // Names are parted by bars in their cell.
        return arena.append(name.map { $0 == UInt8(ascii: "|") ? 0x20 : $0 })
    }
}
