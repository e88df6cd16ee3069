import Books
import Bytes

/// Words for items in a list of books that are not books: films, music, games. Recordings that may be of a
/// book (`Audio CD`) are not included.
enum NonBookWords {
    /// Whether a cell is exactly such a word, ignoring case.
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
        "software", "t shirt", "laserdisc", "laser disc", "ld", "betamax", "vcd", "video cd", "hd dvd", "umd",
        "4k ultra hd",
        "ultra hd blu ray", "uhd blu ray", "vinyl lp", "lp vinyl", "12\" vinyl", "7\" vinyl", "45 rpm",
        "78 rpm", "33 rpm",
        "phonograph record", "gramophone record", "record album", "sound recording musical", "sacd",
        "minidisc",
        "music cassette", "cd music", "musik cd", "schallplatte", "film dvd", "tv show", "tv series",
        "movies", "games",
        "videogames", "video games",
    ]
}
