import Books
import FoundationEssentials

/// Cleans texts from services: removes markup and collapses blanks.
enum ServiceTextCleaner {
    private static let longest = 32_768
    /// Length of an entity in bytes, from ampersand to semicolon.
    private static let longestEntity = 9
    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "#39": "'",
    ]

    /// The text without tags and entities, with blanks collapsed, cut at a maximum length.
    static func plain(_ text: String) -> String {
        if isPlain(text) { return text }
        var plain = ""
        var rest = text.prefix(longest)[...]
        var needsBlank = false
        func add(_ piece: some StringProtocol) {
            if needsBlank, !plain.isEmpty { plain.append(" ") }
            needsBlank = false
            plain += piece
        }
        while let character = rest.popFirst() {
            if character == "<", let end = rest.firstIndex(of: ">"),
                rest.first.map({ $0.isLetter || $0 == "/" }) == true
            {
                rest = rest[rest.index(after: end)...]
                needsBlank = true
            } else if character == "&", let end = rest.prefix(8).firstIndex(of: ";"),
                let replacement = entities[String(rest[..<end])]
            {
                rest = rest[rest.index(after: end)...]
                if replacement == " " { needsBlank = true } else { add(replacement) }
            } else if character.isWhitespace || character == "\0" {
                needsBlank = true
            } else {
                add(String(character))
            }
        }
        return plain
    }

    /// Whether the text needs no cleaning, which is true for most texts. False for bytes that can start a
    /// non-ASCII blank.
    private static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= longest else { return false }
            var isAfterBlank = !bytes.isEmpty
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case 0x20:
                    if isAfterBlank { return false }
                    isAfterBlank = true
                    continue
                case UInt8(ascii: "&"):
                    // Without a semicolon nearby it is not an entity. URLs of images contain many ampersands.
                    if bytes[index...].prefix(longestEntity).contains(UInt8(ascii: ";")) { return false }
                case 0..<0x20, UInt8(ascii: "<"), 0xC2, 0xE1, 0xE2, 0xE3: return false
                default: break
                }
                isAfterBlank = false
            }
            return !isAfterBlank
        }
    }

    /// The people that an element of a service's list of authors names, as in a cell of a file (``PeopleCell``).
    static func people(_ text: String) -> [PeopleCell.Named] {
        PeopleCell(
            plain(text.utf8.contains(UInt8(ascii: "~")) ? text.replacing("~autofilled~", with: "") : text)
        ).people
    }

    /// The name of a record of one person, in reading order. A text that names several people stays.
    static func name(_ text: String) -> String {
        let name = plain(text)
        return PeopleCell.single(name) ?? name
    }
}
