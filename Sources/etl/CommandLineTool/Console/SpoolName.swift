import FoundationEssentials
import System

/// Names of spools, the files that standard input and the entries of other stores are saved to:
/// `STORE.UUID.stdin`, or `STORE.=PATH.UUID.stdin` for another store. Users see `standard input` or the path instead.
enum SpoolName {
    /// The name that users see.
    static let name = "standard input"

    static let ending = ".stdin"
    /// Characters of the UUID in a spool's name.
    private static let uniqueLength = 36
    /// The beginning of a path in a spool's name.
    private static let mark: Character = "="

    /// A new name, after the store's name and a period.
    ///
    /// - Parameters:
    ///   - source: The path of the store that the spool is made of; nil for standard input.
    ///   - store: The store next to the spool.
    static func fresh(from source: String?, beside store: String) -> String {
        let unique = UUID().uuidString.lowercased() + ending
        let length = FileName.bytes(of: FolderPath.lastName(store)).count + unique.utf8.count + 3
        let names = source.map { [$0, FolderPath.lastName($0)] } ?? []
        let fitting = names.map(encoded).first { $0.utf8.count + length <= FileName.longest }
        return fitting.map { "\(mark)\($0).\(unique)" } ?? unique
    }

    /// Whether a file's name is that of a spool.
    ///
    /// - Parameter middle: The name without the store's name and the ending.
    static func isSpool(_ middle: Substring) -> Bool {
        let source = middle.dropLast(uniqueLength)
        return UUID(uuidString: String(middle.suffix(uniqueLength))) != nil
            && (source.isEmpty || source.first == mark && source.last == ".")
    }

    /// A path without characters that have a meaning in names of spools or in sentences.
    private static func encoded(_ path: String) -> String {
        path.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber { return String(character) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// The path in the name of a spool; nil for standard input.
    ///
    /// - Parameter name: The name, without the UUID and what follows.
    private static func source(in name: Substring) -> String? {
        guard let part = name.split(separator: ".").last, part.first == mark else { return nil }
        var bytes: [UInt8] = []
        let pieces = part.dropFirst().split(separator: "%", omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
            if index > 0 {
                guard let byte = UInt8(piece.prefix(2), radix: 16) else { return nil }
                bytes.append(byte)
            }
            bytes += piece.dropFirst(index > 0 ? 2 : 0).utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text with each path of a spool replaced by `standard input`, or by the path of the store.
    static func replaced(in text: String) -> String {
        guard text.contains(ending) else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard let end = word.ranges(of: ending).last else { return String(word) }
            let path = word[..<end.lowerBound]
            guard UUID(uuidString: String(path.suffix(uniqueLength))) != nil else { return String(word) }
            let start = path.firstIndex { !"(“\"'`".contains($0) } ?? path.startIndex
            let (before, after) = (word[..<start], word[end.upperBound...])
            if let source = source(in: path.dropLast(uniqueLength)) { return before + source + after }
            // Names of files are in backquotes; this is not one.
            guard before.last == "`", after.first == "`" else { return before + name + after }
            return before.dropLast() + name + after.dropFirst()
        }.joined(separator: " ")
    }
}
