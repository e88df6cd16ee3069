/// Names that stand where an author should, and are no person's. Folded names (``Folding``), UTF-8.
enum AuthorNames {
    /// Whether the name is a placeholder: `Various`, `Anonymous`.
    static func isPlaceholder(_ name: [UInt8]) -> Bool {
        name.isEmpty || name.withUnsafeBytes { name in placeholders.contains { $0 == name } }
    }

    /// Whether a word of the name is one that organisations bear and people do not: `Lonely Planet
    /// Publications`.
    static func isOrganisation(_ name: [UInt8]) -> Bool {
        name.withUnsafeBytes { name in
            TableLine.Pieces(rest: name, separator: 0x20).contains { word in
                organisations.contains { $0 == word }
            }
        }
    }

    private static let placeholders: [StaticString] = [
        "various", "various authors", "various artists", "varios", "varios autores", "diverse",
        "verschiedene",
        "collectif", "anonymous", "anonymus", "anonym", "anonyme", "anonimo", "anon", "unknown",
        "unknown author",
        "author unknown", "not available", "n a", "na", "none", "no author", "et al", "multiple authors",
        "others",
        "staff", "editors", "unbekannt",
    ]

    private static let organisations: [StaticString] = [
        "inc", "ltd", "llc", "gmbh", "plc", "corporation", "company", "university", "college", "publishing",
        "publications", "publishers", "verlag", "association", "committee", "commission", "institute",
        "society",
        "foundation", "museum", "library", "department", "ministry", "staff", "editors", "magazine",
        "council",
        "bureau", "agency", "congress", "federation", "orchestra",
    ]
}
