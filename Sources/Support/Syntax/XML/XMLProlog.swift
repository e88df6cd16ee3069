import Bytes

/// Beginning of an XML document, before its records: the declared encoding and the root element's tag.
package struct XMLProlog: Sendable, Hashable {
    /// The document's encoding, from its byte order mark or its declaration; nil if it is not supported.
    package private(set) var encoding: TextEncoding?
    /// The encoding that the bytes are really in, if it is certainly not the declared one.
    package private(set) var wrongEncoding: TextEncoding?
    /// The encoding's name as written in the document.
    package let encodingName: String
    /// The root element's name, without prefix.
    package let root: String
    /// The root element's tag as written, with the namespaces it declares, in UTF-8. If the root element is
    /// empty, the slash is removed.
    package let rootTag: [UInt8]
    /// Whether the document type has its own declarations, such as entities. Such a document is refused.
    ///
    /// A document type that only names a DTD is accepted, as in ONIX 2.1 (`<!DOCTYPE ONIXMessage SYSTEM
    /// "…">`). The DTD is never fetched, and the parser never sees the document type (``XMLRecordReader``).
    package let hasOwnDeclarations: Bool
    /// The file's path; nil for bytes in memory.
    package var path: String?

    /// Parses a document's first bytes. Nil if they are not XML, or do not include the root element's tag.
    ///
    /// - Parameter explicit: The encoding given by the user, whatever the document declares.
    package init?(head: [UInt8], encoding explicit: TextEncoding? = nil) {
        var encoding = explicit ?? TextEncoding.sniffMark(head)
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
                let isKnown = encoding != nil
                if encoding == nil { encoding = TextEncoding(named: declared) }
                self.encoding = encoding
                encodingName = declared
                self.hasOwnDeclarations = hasOwnDeclarations
                rootTag = tag.bytes
                root = tag.name
                if !isKnown, let real = Self.encoding(of: head, declared: encoding) {
                    (self.encoding, wrongEncoding) = (real, real)
                }
                return
            }
            guard let end else { return nil }
            at = end
        }
        return nil
    }

    /// The encoding that the bytes show, if it contradicts the declared one.
    private static func encoding(of head: [UInt8], declared: TextEncoding?) -> TextEncoding? {
        guard let declared, !head.allSatisfy({ $0 < 0x80 }) else { return nil }
        let guess = TextEncoding.sniff(head: head).encoding
        // Text in another encoding is hardly ever UTF-8 by chance.
        return guess != declared && (guess == .utf8) != (declared == .utf8) ? guess : nil
    }

    /// The offset after the first occurrence of a mark.
    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.firstRange(of: Array(mark.utf8))?.upperBound
    }

    /// End of a document type, and whether it has an internal subset.
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

    /// A start tag and its local name.
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
