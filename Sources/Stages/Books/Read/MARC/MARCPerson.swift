import Bytes
import Syntax

/// A person or body that a field of a record names, by its heading and its relator.
struct MARCPerson {
    /// Role as a lower-case word: `author`, `translator`; `contributor` where the field does not say.
    var role: String

    /// Reads the relators of a field: the code (`$4trl`) before the word (`$etranslator.`).
    init(_ field: MARCRecord.Field, of record: MARCRecord, isMainEntry: Bool, in arena: borrowing Arena) {
        role = isMainEntry ? "author" : "contributor"
        for subfield in record.subfields[field.subfields] where subfield.code == UInt8(ascii: "4") {
            // A code may be written as the address of its definition.
            let code = arena[subfield.value].split(separator: "/").last.map { $0.lowercased() } ?? ""
            if let known = Self.codes[code] {
                role = known
                return
            }
        }
        for subfield in record.subfields[field.subfields] where subfield.code == UInt8(ascii: "e") {
            let word = arena[subfield.value].lowercased()
            if let known = Self.words.first(where: { known in known.parts.contains { word.hasPrefix($0) } }) {
                role = known.role
                return
            }
        }
    }

    /// MARC Code List for Relators, those of books.
    private static let codes: [String: String] = [
        "aut": "author", "cre": "author", "dub": "author", "edt": "editor", "com": "editor", "edc": "editor",
        "trl": "translator", "ill": "illustrator", "art": "illustrator", "pht": "illustrator",
        "nrt": "narrator", "spk": "narrator", "vac": "narrator",
    ]

    /// How relators begin when they are written out, in the languages of the large catalogs.
    private static let words: [(role: String, parts: [String])] = [
        ("author", ["author", "joint author", "verfasser", "auteur", "autor", "supposed author", "creator"]),
        (
            "editor",
            [
                "editor", "joint editor", "ed.", "edited", "herausgeber", "hrsg", "éditeur scientifique",
                "compiler",
                "comp.", "editado", "a cura",
            ]
        ),
        (
            "translator",
            [
                "translator", "tr.", "trans.", "translated", "übersetzer", "traducteur", "traductor",
                "traduttore",
            ]
        ),
        ("illustrator", ["illustrator", "ill.", "illus", "artist", "photographer", "illustrateur"]),
        ("narrator", ["narrator", "read by", "reader", "sprecher", "voice", "speaker"]),
    ]
}
