import Bytes

/// Names that stand where an author should, and are no person's. Folded names (``Folding``), UTF-8.
enum AuthorNames {
    /// Whether the name is a placeholder: `Various`, `Anonymous`.
    static func isPlaceholder(_ name: [UInt8]) -> Bool {
        name.isEmpty || name.withUnsafeBytes { placeholders.contains($0) }
    }

    /// Whether a word of the name is one that organisations bear and people do not: `Lonely Planet
    /// Publications`.
    static func isOrganisation(_ name: [UInt8]) -> Bool {
        name.withUnsafeBytes { name in
            TableLine.Pieces(rest: name, separator: 0x20).contains { organisations.contains($0) }
        }
    }

    /// A few words, parted by their first letter: of each author's name it is asked whether it is one of them.
    private struct Words {
        private var byFirstLetter: [[StaticString]] = Array(repeating: [], count: 256)

        init(_ words: [StaticString]) {
            for word in words { byFirstLetter[Int(word.utf8Start[0])].append(word) }
        }

        func contains(_ name: UnsafeRawBufferPointer) -> Bool {
            guard let first = name.first else { return false }
            return byFirstLetter[Int(first)].contains { $0 == name }
        }
    }

    private static let placeholders = Words([
        "various", "various authors", "various artists", "varios", "varios autores", "diverse",
        "verschiedene",
        "collectif", "anonymous", "anonymus", "anonym", "anonyme", "anonimo", "anon", "unknown",
        "unknown author",
        "author unknown", "not available", "n a", "na", "none", "no author", "et al", "multiple authors",
        "others",
        "staff", "editors", "unbekannt",
    ])

    private static let organisations = Words([
        "inc", "ltd", "llc", "gmbh", "plc", "corporation", "company", "university", "college", "publishing",
        "publications", "publishers", "verlag", "association", "committee", "commission", "institute",
        "society",
        "foundation", "museum", "library", "department", "ministry", "staff", "editors", "magazine",
        "council",
        "bureau", "agency", "congress", "federation", "orchestra",
    ])
}
