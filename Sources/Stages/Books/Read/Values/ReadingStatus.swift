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
        "read": .read, "already read": .read, "finished": .read, "completed": .read, "have read": .read,
        "gelesen": .read, "lu": .read, "leído": .read,
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
        "software", "t shirt",
    ]
}

/// Language names in English, and language codes.
enum LanguageNames {
    /// The two-letter code of the first language in a cell: `eng`, `French`, `French, English`; nil if it is
    /// unknown.
    static func code(_ bytes: UnsafeRawBufferPointer) -> String? {
        let trimmed = bytes.trimmedBlanks
        let first = bytes[trimmed].prefix {
            $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "|")
        }
        guard (2...32).contains(first.count) else { return nil }
        let name = String(decoding: first, as: UTF8.self)
        return Languages.twoLetters(name) ?? codes[name.lowercased()]
    }

    private static let codes: [String: String] = [
        "afrikaans": "af", "albanian": "sq", "arabic": "ar", "armenian": "hy", "basque": "eu",
        "belarusian": "be",
        "bengali": "bn", "bosnian": "bs", "bulgarian": "bg", "catalan": "ca", "chinese": "zh",
        "croatian": "hr",
        "czech": "cs", "danish": "da", "dutch": "nl", "english": "en", "esperanto": "eo", "estonian": "et",
        "finnish": "fi", "french": "fr", "galician": "gl", "georgian": "ka", "german": "de", "greek": "el",
        "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is", "indonesian": "id",
        "irish": "ga",
        "italian": "it", "japanese": "ja", "korean": "ko", "latin": "la", "latvian": "lv", "lithuanian": "lt",
        "macedonian": "mk", "malay": "ms", "norwegian": "no", "persian": "fa", "polish": "pl",
        "portuguese": "pt",
        "romanian": "ro", "russian": "ru", "serbian": "sr", "slovak": "sk", "slovenian": "sl",
        "spanish": "es",
        "swahili": "sw", "swedish": "sv", "tamil": "ta", "thai": "th", "turkish": "tr", "ukrainian": "uk",
        "urdu": "ur", "vietnamese": "vi", "welsh": "cy", "yiddish": "yi",
    ]
}
