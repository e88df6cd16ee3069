import Books
import Bytes
import Syntax

/// Names of people and organizations from their headings.
enum MARCName {
    /// `Le Guin, Ursula K.,` becomes `Ursula K. Le Guin`, and `John Paul` with `$bII,` becomes `John Paul
    /// II`. The parts of an organization are joined: `United States. Congress. Senate`.
    static func compose(_ field: MARCRecord.Field, of record: MARCRecord, in arena: inout Arena) -> Text {
        let heading = heading(field, of: record, in: &arena)
        guard !heading.isEmpty else { return .none }
        let isBody = field.tag == 110 || field.tag == 710
        var name = arena.bytes(heading)
        // Indicator 1 says that the family name comes first. Headings of organizations keep their commas.
        if !isBody, field.indicator1 == UInt8(ascii: "1") { name = PersonName.readingOrder(name) }
        for subfield in record.subfields[field.subfields] where subfield.code == UInt8(ascii: "b") {
            let part = arena.bare(subfield.value)
            if !part.isEmpty { name += Array((isBody ? ". " : " ").utf8) + arena.bytes(part) }
        }
        // A bar separates names in their cell.
        return arena.append(name.map { $0 == UInt8(ascii: "|") ? 0x20 : $0 })
    }

    /// The heading's first part, without a note about its catalog: `Doe, Jane. [from old catalog]`.
    private static func heading(
        _ field: MARCRecord.Field, of record: MARCRecord, in arena: inout Arena
    ) -> Text {
        let value = record.first(UInt8(ascii: "a"), of: field)
        let note = arena.withBytes(value) { $0.firstRange(of: Array("[from old catalog]".utf8)) }
        return arena.bare(note.map { value.part(0..<$0.lowerBound) } ?? value)
    }
}

/// A person or organization named by a field, with its role.
struct MARCPerson {
    /// Role as a lower-case word such as `author` or `translator`; `contributor` if the field does not say.
    var role: String

    /// Reads the relators of a field: first codes (`$4trl`), then words (`$etranslator.`).
    init(_ field: MARCRecord.Field, of record: MARCRecord, isMainEntry: Bool, in arena: borrowing Arena) {
        role = isMainEntry ? "author" : "contributor"
        for subfield in record.subfields[field.subfields] where subfield.code == UInt8(ascii: "4") {
            // A code may be written as the URL of its definition.
            let code = arena[subfield.value].split(separator: "/").last.map { $0.lowercased() } ?? ""
            if let known = Self.codes[code] {
                role = known
                return
            }
        }
        for subfield in record.subfields[field.subfields] where subfield.code == UInt8(ascii: "e") {
            if let known = arena.withBytes(subfield.value, { ContributorRole(word: $0) }) {
                role = String(describing: known)
                return
            }
        }
    }

    /// MARC Code List for Relators, limited to books.
    private static let codes: [String: String] = [
        "aut": "author", "cre": "author", "dub": "author", "edt": "editor", "com": "editor", "edc": "editor",
        "aui": "editor", "aft": "editor", "win": "editor", "wpr": "editor", "wfw": "editor", "waw": "editor",
        "ann": "editor", "cmm": "editor", "wac": "editor", "adp": "editor", "abr": "editor", "red": "editor",
        "trl": "translator", "ill": "illustrator", "art": "illustrator", "pht": "illustrator",
        "cov": "illustrator", "bjd": "illustrator", "bkd": "illustrator", "ctg": "illustrator",
        "clr": "illustrator",
        "nrt": "narrator", "spk": "narrator", "vac": "narrator",
    ]
}
