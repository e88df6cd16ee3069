import Bytes

/// Words for what a list of books also holds and is none: films, music, games. Recordings that may be of a book
/// (`Audio CD`) are not among them.
enum NonBookWords {
    /// Whether a cell is such a word and nothing else, in any case.
    static func names(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let trimmed = bytes.trimmedBlanks
        guard (2...32).contains(trimmed.count) else { return false }
        let key = String(decoding: bytes[trimmed], as: UTF8.self).lowercased()
            .split { $0 == " " || $0 == "-" || $0 == "_" }.joined(separator: " ")
        return words.contains(key)
    }

    private static let words: Set<String> = [
        "not a book", "dvd", "dvd video", "dvd rom", "blu ray", "blu ray disc", "blu ray dvd", "vhs",
        "vhs tape",
        "video", "video recording", "videocassette", "video cassette", "film", "movie", "motion picture",
        "music", "music recording", "music cd", "musical score", "sheet music", "lp", "lp record", "vinyl",
        "vinyl record", "record", "video game", "videogame", "board game", "boardgame", "game", "toy",
        "puzzle",
        "software", "t shirt",
    ]
}
