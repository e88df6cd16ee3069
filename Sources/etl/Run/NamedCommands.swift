/// Commands that a sentence names in backquotes, `etl resume JOB`, as they have to be typed: sentences come from where
/// nobody knows which store was named on the command line.
enum NamedCommands {
    /// The sentence, with ` --db PATH` in each command that takes it and lacks it.
    ///
    /// - Parameter store: The store of the command that tells the sentence.
    static func of(store: String, in text: String) -> String {
        let option = Places.option(store: store)
        guard !option.isEmpty, text.contains("`etl ") else { return text }
        // Every second piece stands between two backquotes.
        return text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map {
            number, piece in
            number % 2 == 1 && takesStore(piece) ? piece + option : piece
        }.joined(separator: "`")
    }

    private static func takesStore(_ command: Substring) -> Bool {
        let words = command.split(separator: " ")
        guard words.first == "etl", words.count > 1, !words.contains("--db") else { return false }
        return Commands.specs.contains { spec in
            words.dropFirst().starts(with: spec.path.map { $0[...] })
                && spec.options.contains { $0.name == StoreOptions.db.spec.name }
        }
    }
}
