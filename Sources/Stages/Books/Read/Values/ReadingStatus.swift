import Bytes

/// A reading status, whatever an exporter calls it. Raw values are the names of Goodreads' shelves, and of
/// shelves that Goodreads users commonly add.
enum ReadingStatus: String {
    case read
    case reading = "currently-reading"
    case toRead = "to-read"
    case notFinished = "did-not-finish"
    case paused

    /// The status that a cell names; nil for one of the user's own shelves.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let trimmed = bytes.trimmedBlanks
        guard (3...24).contains(trimmed.count) else { return nil }
        let key = String(decoding: bytes[trimmed], as: UTF8.self).lowercased()
            .split { $0 == " " || $0 == "-" || $0 == "_" }.joined(separator: " ")
        guard let status = Self.words[key] else { return nil }
        self = status
    }

    private static let words: [String: ReadingStatus] = [
        "read": .read, "already read": .read, "read but unowned": .read, "finished": .read,
        "completed": .read, "have read": .read,
        "gelesen": .read, "lu": .read, "leído": .read, "leido": .read, "letto": .read, "lido": .read,
        "gelezen": .read,
        "beendet": .read, "terminé": .read, "terminado": .read, "finito": .read, "uitgelezen": .read,
        "lese gerade": .reading, "am lesen": .reading, "wird gelesen": .reading, "en cours": .reading,
        "en cours de lecture": .reading, "leyendo": .reading, "in lettura": .reading, "lendo": .reading,
        "bezig": .reading, "aan het lezen": .reading,
        "ungelesen": .toRead, "noch nicht gelesen": .toRead, "zu lesen": .toRead, "wunschliste": .toRead,
        "à lire": .toRead, "pas lu": .toRead, "non lu": .toRead, "por leer": .toRead, "pendiente": .toRead,
        "no leído": .toRead, "da leggere": .toRead, "non letto": .toRead, "para ler": .toRead,
        "quero ler": .toRead,
        "não lido": .toRead, "te lezen": .toRead, "ongelezen": .toRead, "wishlist": .toRead,
        "wish list": .toRead,
        "abgebrochen": .notFinished, "abandonné": .notFinished, "abandonado": .notFinished,
        "abbandonato": .notFinished, "gestopt": .notFinished, "pausiert": .paused, "en pause": .paused,
        "en pausa": .paused, "in pausa": .paused, "pausado": .paused, "gepauzeerd": .paused,
        "currently reading": .reading, "reading": .reading, "in progress": .reading, "current": .reading,
        "to read": .toRead, "want to read": .toRead, "planned": .toRead, "unread": .toRead, "tbr": .toRead,
        "not begun": .toRead, "not started": .toRead,
        "did not finish": .notFinished, "dnf": .notFinished, "abandoned": .notFinished,
        "stopped reading": .notFinished, "stopped": .notFinished, "unfinished": .notFinished,
        "paused": .paused, "on hold": .paused,
    ]
}

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

/// Names of languages in many languages, and language codes. The table is `language_names.tsv`.
enum LanguageNames {
    /// The two-letter code of the first language in a cell: `eng`, `French`, `Português (Brasil)`, `French,
    /// English`; nil if it is unknown.
    static func code(_ bytes: UnsafeRawBufferPointer) -> String? {
        let trimmed = bytes.trimmedBlanks
        let first = bytes[trimmed].prefix {
            switch $0 {
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "("),
                UInt8(ascii: "/"):
                false
            default: true
            }
        }
        guard (2...48).contains(first.count) else { return nil }
        let name = String(decoding: first, as: UTF8.self).lowercased()
        let bare = name.split(separator: " ").joined(separator: " ")
        return Languages.twoLetters(bare) ?? codes[bare] ?? codes[Folding.fold(bare)]
    }

    private static let codes: [String: String] = {
        var codes: [String: String] = [:]
        PackageResources.language_names_tsv.withUnsafeBytes { table in
            for line in TableLines(table) {
                let code = String(decoding: line.field(0), as: UTF8.self)
                for item in line.items(1) {
                    let name = String(decoding: item, as: UTF8.self)
                    codes[name] = code
                    // Without accents, if no other language has that name.
                    let folded = Folding.fold(name)
                    if codes[folded] == nil { codes[folded] = code }
                }
            }
        }
        return codes
    }()
}
