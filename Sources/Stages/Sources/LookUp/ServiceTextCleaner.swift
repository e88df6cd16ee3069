import Bytes
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

    /// A person's name in reading order: `Example, Ada` becomes `Ada Example`. A suffix stays at the end.
    static func name(_ text: String) -> String {
        let name = plain(
            text.utf8.contains(UInt8(ascii: "~")) ? text.replacing("~autofilled~", with: "") : text)
        guard name.utf8.contains(UInt8(ascii: ",")) else { return name }
        let parts = name.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimming(.spaces)
        }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return name }
        let suffixes: Set = [
            "jr.", "jr", "sr.", "sr", "ii", "iii", "iv", "inc.", "inc", "ltd", "ltd.", "llc", "phd", "md",
        ]
        return suffixes.contains(parts[1].lowercased()) ? name : "\(parts[1]) \(parts[0])"
    }
}
