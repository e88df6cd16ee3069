import Bytes

/// The format of an edition in the contract. There is no "unknown".
package enum EditionFormat: UInt8, Sendable, CaseIterable, Hashable {
    case hardcover, paperback, ebook, audiobook, massMarket

    /// The contract's name for it.
    package var contractName: String {
        switch self {
        case .hardcover: "Hardcover"
        case .paperback: "Paperback"
        case .ebook: "E-book"
        case .audiobook: "Audiobook"
        case .massMarket: "Mass Market"
        }
    }
}

/// Parsing of a binding: how library exports and providers (such as Open Library's `physical_format`)
/// describe the physical form of an edition, in any case and in many languages.
extension EditionFormat {
    /// Maps a binding to a format. Nil if the text names no format (`Unknown Binding`, `Comic`, empty); the
    /// merge decides then.
    ///
    /// The whole text is looked up first. Then it is searched for distinctive parts in a fixed order: `audio`
    /// before `cd`, `mass market` before `paper`. Case, blanks, `_` and `-` are ignored: `kindle_edition`,
    /// `E-Book `. A text longer than 128 bytes is probably a description, so only its first 128 bytes are
    /// searched.
    package init?(binding bytes: UnsafeRawBufferPointer) {
        // Nine of ten bindings are spelled exactly like one of these two.
        if bytes.count == 9 {
            switch bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self).littleEndian {
            case Self.paperbac where bytes[8] == UInt8(ascii: "k"):
                self = .paperback
                return
            case Self.hardcove where bytes[8] == UInt8(ascii: "r"):
                self = .hardcover
                return
            default: break
            }
        }
        let part = bytes.trimmedBlanks
        guard !part.isEmpty else { return nil }
        let longest = 128
        let format = withUnsafeTemporaryAllocation(byteCount: longest, alignment: 1) { buffer in
            let key = BindingKey.write(bytes, part: part.prefix(longest), into: buffer)
            return BindingTable.shared.format(of: key)
        }
        guard let format else { return nil }
        self = format
    }

    /// The format that a text names.
    package init?(_ text: String) {
        var text = text
        guard let format = text.withUTF8({ EditionFormat(binding: UnsafeRawBufferPointer($0)) }) else {
            return nil
        }
        self = format
    }

    /// The first eight bytes of `Paperback` and `Hardcover` as little-endian numbers.
    private static let paperbac: UInt64 = 0x6361_6272_6570_6150
    private static let hardcove: UInt64 = 0x6576_6F63_6472_6148
}

/// The words for bindings: whole texts, and distinctive parts of texts. All are keys as ``BindingKey`` writes
/// them: lower case, with a space for `-` and `_`.
struct BindingTable: Sendable {
    static let shared = BindingTable()

    private var exact: [UInt64: (key: [UInt8], format: EditionFormat?)] = [:]
    /// The distinctive parts by their first byte. The part with the lowest rank wins.
    private var partsByFirstByte: [[(rank: Int, part: [UInt8], format: EditionFormat)]]

    private init() {
        partsByFirstByte = Array(repeating: [], count: 256)
        var rank = 0
        for row in Self.distinctive {
            for part in row.parts.map({ Array($0.utf8) }) {
                guard let first = part.first else { continue }
                partsByFirstByte[Int(first)].append((rank, part, row.format))
                rank += 1
            }
        }
        for row in Self.whole {
            for text in row.texts {
                let key = Array(text.utf8)
                exact[key.withUnsafeBytes { Self.hash($0) }] = (key, row.format)
            }
        }
    }

    /// The format of a key; nil if neither the whole text nor a part is known.
    func format(of key: UnsafeRawBufferPointer) -> EditionFormat? {
        if let known = exact[Self.hash(key)], known.key.elementsEqual(key) { return known.format }
        var best: (rank: Int, format: EditionFormat)?
        for at in key.indices {
            for entry in partsByFirstByte[Int(key[at])] where entry.rank < best?.rank ?? .max {
                guard key.count - at >= entry.part.count,
                    key[at..<at + entry.part.count].elementsEqual(entry.part)
                else { continue }
                best = (entry.rank, entry.format)
            }
        }
        return best?.format
    }

    /// FNV-1a over the bytes.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Whole texts: the frequent ones, and those whose parts would mislead. A nil format marks a text that is
    /// known to name no format.
    private static let whole: [(format: EditionFormat?, texts: [String])] = [
        (
            .hardcover,
            [
                "hardcover", "hardback", "hard", "hc", "hb", "hbk", "hbk.", "hdbk", "hdbk.", "bound", "cased",
                "case", "casebound",
                "board book",
            ]
        ),
        (.paperback, ["paperback", "trade paperback", "pb", "pbk", "pbk.", "tpb", "print", "staple bound"]),
        (
            .massMarket,
            ["mass market paperback", "mass market", "mmpb", "pocket", "pocket book", "bunko", "文庫"]
        ),
        (.ebook, ["kindle edition", "kindle", "ebook", "e book", "nook", "kobo", "epub", "pdf", "digital"]),
        (.audiobook, ["audiobook", "audio cd", "mp3 cd", "audio cassette", "cd", "cds", "playaway"]),
        // Software, film and other items that are not books have no format, whatever words they contain.
        (
            nil,
            [
                "unknown binding", "unknown", "cd rom", "cdrom", "dvd", "dvd rom", "dvd audio", "blu ray",
                "vhs",
                "vhs tape", "audio vinyl", "vinyl", "comic", "collection", "calendar", "cards", "card book",
                "misc. supplies", "software", "computer software", "newspaper", "map", "poster", "toy",
                "game", "microform", "microfilm", "paper model",
            ]
        ),
    ]

    /// Distinctive parts, in order of priority.
    private static let distinctive: [(format: EditionFormat, parts: [String])] = [
        (
            .massMarket,
            [
                "mass market", "massmarket", "rack size", "a format paperback", "pocket", "poche", "bolsillo",
                "de bolso",
                "tascabile", "tascabili", "文庫",
            ]
        ),
        (
            .audiobook,
            [
                "audio", "audible", "mp3", "cassette", "kassette", "hörbuch", "hörspiel", "hoerbuch",
                "audiolibro",
                "audiolivro", "luisterboek", "ljudbok", "lydbok", "lydbog", "livre lu", "playaway",
                "compact disc",
                "sound recording", "книга аудио", "аудиокнига",
            ]
        ),
        (
            .ebook,
            [
                "kindle", "nook", "kobo", "ebook", "e book", "ebok", "e bok", "ebog", "e bog", "e boek",
                "electronic", "epub",
                "pdf", "mobi", "azw", "digital", "ibook", "google play", "numérique", "numerique",
                "electrónic",
                "elettronico", "eletrônico", "eletrónico", "elektronisch", "digitaal", "online", "adobe",
                "электронная", "電子", "电子",
            ]
        ),
        (
            .hardcover,
            [
                "hard", "hbk", "cloth", "library binding", "turtleback", "leather", "gebunden", "leinen",
                "halbleder", "pappband",
                "relié", "relie", "cartonné", "cartonne", "tapa dura", "pasta dura", "tela", "cartoné",
                "rigida", "rilegat", "cartonato", "capa dura", "encadernad", "gebonden", "inbunden",
                "indbundet",
                "innbundet", "kovakanti", "twarda", "vázaná", "тверд", "твёрд", "Тверд", "Твёрд", "精装", "精裝",
                "ハードカバー", "board book",
            ]
        ),
        (
            .paperback,
            [
                "paper", "pbk", "soft", "broch", "brosch", "taschenbuch", "taschenbücher", "kartoniert",
                "geheftet",
                "klappen", "blanda", "rústica", "rustica", "flessibile", "brossura", "capa comum",
                "capa mole",
                "zachte kaft", "ingenaaid", "häftad", "hæftet", "heftet", "pehmeä", "miękka", "brožovaná",
                "flexi",
                "spiral", "stapled", "staple bound", "saddle stitch", "pamphlet", "chapbook", "wraps", "мягк",
                "Мягк", "обложка", "平装", "平裝", "ソフトカバー", "perfect bound",
            ]
        ),
        // After the printed formats: "Paperback with CD" is a book.
        (.audiobook, ["cd"]),
    ]
}

/// The form in which bindings are compared: lower case, each run of blanks, `_` and `-` as one space.
enum BindingKey {
    /// Writes the key and returns the part of the buffer it fills. The buffer must be at least as long as
    /// `part`.
    static func write(
        _ bytes: UnsafeRawBufferPointer, part: Range<Int>, into buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        var count = 0
        var at = part.lowerBound
        while at < part.upperBound {
            let byte = bytes[at]
            let blank = bytes.blankLength(at: at, before: part.upperBound)
            if blank > 0 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") {
                if count > 0, buffer[count - 1] != 0x20 {
                    buffer[count] = 0x20
                    count += 1
                }
                at += max(1, blank)
                continue
            }
            buffer[count] = lowered(byte, after: at > part.lowerBound ? bytes[at - 1] : 0)
            count += 1
            at += 1
        }
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Lower-cases ASCII and the second byte of the Latin letters U+00C0…U+00DE.
    private static func lowered(_ byte: UInt8, after previous: UInt8) -> UInt8 {
        if previous == 0xC3, (0x80...0x9E).contains(byte), byte != 0x97 { return byte + 0x20 }
        return byte.lowered
    }
}
