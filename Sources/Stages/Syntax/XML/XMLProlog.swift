import Bytes

/// What stands at the head of an XML document before its records: the encoding it declares, and the tag of its root
/// element.
package struct XMLProlog: Sendable, Hashable {
    /// The encoding the document is in, by its byte order mark or its declaration; nil for one that is not read.
    package let encoding: TextEncoding?
    /// The encoding's name as the document spells it.
    package let encodingName: String
    /// The root element's name, without prefix.
    package let root: String
    /// The root element's tag as it stands, with the namespaces it declares; as UTF-8, never that of an empty
    /// element.
    package let rootTag: [UInt8]
    /// Whether the document type declares anything itself, entities among it: such a document is not read. One that only
    /// names a DTD is, as ONIX 2.1 does (`<!DOCTYPE ONIXMessage SYSTEM "…">`): nobody fetches the DTD, and the parser never
    /// sees the document type (``XMLRecordReader``).
    package let hasOwnDeclarations: Bool
    /// The file that it stands in; nil for bytes in memory.
    package var path: String?

    /// Looks at a document's first bytes; nil where they are not those of XML, or its root is not among them.
    package init?(head: [UInt8]) {
        var encoding = TextEncoding.sniffMark(head)
        let text = (encoding ?? .utf8).utf8(ofHead: head)
        let start = text.firstIndex { $0 > 0x20 } ?? text.count
        guard start < text.count, text[start] == UInt8(ascii: "<") else { return nil }
        var declared = "UTF-8"
        var hasOwnDeclarations = false
        var at = start
        while let open = text[at...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = text[open...]
            let end: Int?
            if rest.starts(with: Array("<?".utf8)) {
                end = Self.end(of: "?>", in: rest)
                if let end, rest.starts(with: Array("<?xml ".utf8)) {
                    declared = Self.attribute("encoding", in: rest[..<end]) ?? declared
                }
            } else if rest.starts(with: Array("<!--".utf8)) {
                end = Self.end(of: "-->", in: rest)
            } else if rest.starts(with: Array("<!".utf8)) {
                let type = Self.documentType(rest)
                hasOwnDeclarations = hasOwnDeclarations || type.declares
                end = type.end
            } else {
                guard let tag = Self.tag(rest) else { return nil }
                if encoding == nil { encoding = Self.encodings[declared.lowercased()] }
                self.encoding = encoding
                encodingName = declared
                self.hasOwnDeclarations = hasOwnDeclarations
                rootTag = tag.bytes
                root = tag.name
                return
            }
            guard let end else { return nil }
            at = end
        }
        return nil
    }

    /// Names of the encodings that are read, lower-case. Windows-1252 holds all of Latin-1's characters.
    private static let encodings: [String: TextEncoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .utf8, "ascii": .utf8, "iso-8859-1": .windows1252,
        "latin1": .windows1252, "latin-1": .windows1252, "windows-1252": .windows1252,
        "cp1252": .windows1252,
    ]

    /// Behind a mark.
    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.firstRange(of: Array(mark.utf8))?.upperBound
    }

    /// A document type: where it ends, and whether it has a part of its own, an internal subset.
    private static func documentType(_ bytes: ArraySlice<UInt8>) -> (end: Int?, declares: Bool) {
        var depth = 0
        var declares = false
        var quote: UInt8?
        for at in bytes.indices.dropFirst(2) {
            switch bytes[at] {
            case let byte where depth == 0 && quote != nil:
                if byte == quote { quote = nil }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if depth == 0 { quote = bytes[at] }
            case UInt8(ascii: "["):
                depth += 1
                declares = true
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return (at + 1, declares)
            default: break
            }
        }
        return (nil, declares)
    }

    /// A start tag and the local name in it.
    private static func tag(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], name: String)? {
        var quote: UInt8?
        guard
            let end = bytes.firstIndex(where: { byte in
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else {
                    return byte == UInt8(ascii: ">")
                }
                return false
            })
        else { return nil }
        var tag = Array(bytes[...end])
        if tag.count > 2, tag[tag.count - 2] == UInt8(ascii: "/") { tag.remove(at: tag.count - 2) }
        let name = tag.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        guard let first = name.first, first.isLetter || first == UInt8(ascii: "_") || first >= 0x80 else {
            return nil
        }
        let local = name.split(separator: UInt8(ascii: ":")).last ?? name
        return (tag, String(decoding: local, as: UTF8.self))
    }

    private static func attribute(_ name: String, in bytes: ArraySlice<UInt8>) -> String? {
        guard let found = bytes.firstRange(of: Array(name.utf8)) else { return nil }
        let rest = bytes[found.upperBound...].drop { $0 <= 0x20 || $0 == UInt8(ascii: "=") }
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return nil
        }
        let value = rest.dropFirst()
        return value.firstIndex(of: quote).map { String(decoding: value[..<$0], as: UTF8.self) }
    }
}

extension TextEncoding {
    /// The encoding of a byte order mark; nil without one.
    fileprivate static func sniffMark(_ head: [UInt8]) -> TextEncoding? {
        allCases.first { !$0.byteOrderMark.isEmpty && head.starts(with: $0.byteOrderMark) }
    }
}
