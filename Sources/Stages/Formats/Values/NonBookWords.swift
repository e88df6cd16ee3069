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

/// Names of languages in many languages, and language codes. The table is `language_names.tsv`.
package enum LanguageNames {
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

    /// The English name of a two-letter code: `French`; the code itself if it is unknown.
    package static func english(_ code: String) -> String {
        guard let name = names[code] else { return code }
        return name.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
            separator: " ")
    }

    /// The English names, which come first in the table.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        PackageResources.language_names_tsv.withUnsafeBytes { table in
            for line in TableLines(table) {
                let code = String(decoding: line.field(0), as: UTF8.self)
                for item in line.items(1) where names[code] == nil {
                    names[code] = String(decoding: item, as: UTF8.self)
                }
            }
        }
        return names
    }()

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
