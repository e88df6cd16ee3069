import Testing

/// The messages in the source, including those that are hard to provoke: string literals that read as text.
enum MessageTemplates {
    /// A message has at least this many words.
    private static let fewestWords = 3
    /// Parts of SQL statements.
    private static let sql = [
        "SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "DROP ", " AND …", "PRAGMA ", "ATTACH ",
        "FROM ", " WHERE ",
        " JOIN ",
        " BETWEEN ", " IS NULL", "NOT NULL", "CAST(", "PRIMARY KEY", "ROLLBACK ", " || ", " IN (", " ON …",
        "ORDER BY", "ON CONFLICT", ") OR (", "=?1", "iif(", "ifnull(",
    ]
    /// Places where lowercase words are data, such as names of columns and genres, or texts of other programs.
    private static let dataPlaces = [
        "Sources/Pipeline/Definition/YAMLEvents", "Sources/Books/Genres/",
        "Sources/Books/Matching/",
        "Sources/Books/Model/EditionFormat", "Sources/Stages/Formats/Programs/",
        "Sources/Stages/Formats/MARC/", "Sources/Books/Model/ReadingStatus",
        "Sources/Stages/Formats/Values/NonBookWords",
        "Sources/Support/Database/SQLite/SQLiteError",
    ]
    /// Made-up books of the fake services, names of characters, and programs for shells.
    private static let excluded = [
        "Sources/FakeServices/", "Sources/Support/Syntax/XML/XMLEntities",
        "Sources/etl/CommandLineTool/Arguments/Completion/",
    ]

    /// The messages of each file, in the order of the source, under the file's path.
    static func listed() -> String {
        var text = ""
        for file in Tree.sources where !excluded.contains(where: file.path.hasPrefix) {
            let isData = dataPlaces.contains(where: file.path.hasPrefix)
            let messages = SwiftStrings.of(file.lines.joined(separator: "\n")).filter {
                isMessage($0) && !(isData && isPlainLowercase($0))
            }
            guard !messages.isEmpty else { continue }
            text += (text.isEmpty ? "" : "\n") + file.path + "\n"
            for message in messages {
                text += "  " + message.split(separator: "\n").joined(separator: "\n    ") + "\n"
            }
        }
        return text
    }

    /// Whether a literal reads as text rather than as SQL, JSON, XML, a command or a list of names.
    static func isMessage(_ literal: String) -> Bool {
        guard let first = literal.first(where: { !$0.isWhitespace }), !"{[<.#".contains(first),
            !literal.hasPrefix("etl "), !sql.contains(where: literal.contains)
        else { return false }
        let words = literal.split(whereSeparator: \.isWhitespace)
        // `id, revision, body` is a list of columns.
        guard !words.dropLast().allSatisfy({ $0.hasSuffix(",") }) else { return false }
        return words.count { $0.contains(where: \.isLowercase) } >= fewestWords
    }

    private static func isPlainLowercase(_ literal: String) -> Bool {
        literal.allSatisfy { $0.isLowercase || $0.isNumber || " ,:()[]{}'-".contains($0) }
    }
}

@Suite struct MessageTemplatesTests {
    @Test(arguments: [
        "There is no file.", "… is not valid: …", "List the jobs", "already stored, now changed",
    ])
    func `text is a message`(text: String) { #expect(MessageTemplates.isMessage(text)) }

    @Test(arguments: [
        "SELECT a FROM b", "{\"a b c\": 1}", "two words", "… = … + …", "", "etl import --db x file.csv",
        "id, a, body",
    ])
    func `other literals are not messages`(text: String) { #expect(!MessageTemplates.isMessage(text)) }
}
