import Foundation

/// Texts as services send them, made fit: without markup, blanks folded.
enum ServiceTextCleaner {
    private static let longest = 32_768
    /// Bytes of an entity, from its ampersand to its semicolon.
    private static let longestEntity = 9
    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "#39": "'",
    ]

    /// Tags and entities taken out, blanks folded; cut at a bound.
    static func plain(_ text: String) -> String {
        if isPlain(text) { return text }
        var plain = ""
        var rest = text.prefix(longest)[...]
        var wantsBlank = false
        func add(_ piece: some StringProtocol) {
            if wantsBlank, !plain.isEmpty { plain.append(" ") }
            wantsBlank = false
            plain += piece
        }
        while let character = rest.popFirst() {
            if character == "<", let end = rest.firstIndex(of: ">"),
                rest.first.map({ $0.isLetter || $0 == "/" }) == true
            {
                rest = rest[rest.index(after: end)...]
                wantsBlank = true
            } else if character == "&", let end = rest.prefix(8).firstIndex(of: ";"),
                let meant = entities[String(rest[..<end])]
            {
                rest = rest[rest.index(after: end)...]
                if meant == " " { wantsBlank = true } else { add(meant) }
            } else if character.isWhitespace || character == "\0" {
                wantsBlank = true
            } else {
                add(String(character))
            }
        }
        return plain
    }

    /// Whether nothing is to be done: most texts are as they should be. A byte that begins a blank beyond ASCII, among
    /// others, leaves the question open.
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
                    // Without a semicolon near it is no entity: the addresses of pictures are full of them.
                    if bytes[index...].prefix(longestEntity).contains(UInt8(ascii: ";")) { return false }
                case 0..<0x20, UInt8(ascii: "<"), 0xC2, 0xE1, 0xE2, 0xE3: return false
                default: break
                }
                isAfterBlank = false
            }
            return !isAfterBlank
        }
    }

    /// A person's name in reading order: `Example, Ada` becomes `Ada Example`; a suffix stays behind.
    static func name(_ text: String) -> String {
        let name = plain(
            text.utf8.contains(UInt8(ascii: "~")) ? text.replacing("~autofilled~", with: "") : text)
        guard name.utf8.contains(UInt8(ascii: ",")) else { return name }
        let parts = name.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return name }
        let suffixes: Set = [
            "jr.", "jr", "sr.", "sr", "ii", "iii", "iv", "inc.", "inc", "ltd", "ltd.", "llc", "phd", "md",
        ]
        return suffixes.contains(parts[1].lowercased()) ? name : "\(parts[1]) \(parts[0])"
    }
}
