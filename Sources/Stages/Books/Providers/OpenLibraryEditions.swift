import Services
import Syntax

/// The editions of an answer of `/api/books`, each as it stands there, checked against the ISBN that was asked for
/// (providers.md 1.3).
///
/// The answer is walked once and nothing is built of it but the editions' bytes: a batch of fifty holds a
/// quarter of a megabyte.
enum OpenLibraryEditions {
    /// One part for each ISBN, in their order.
    static func read(_ body: [UInt8], bearing isbns: [String]) throws(JSONReadError) -> [ResponsePart] {
        var parts: [String: ResponsePart] = [:]
        try JSONReader.read(body) { reader throws(JSONReadError) in
            try reader.forEachKey { name, reader throws(JSONReadError) in
                let name = name.string
                // Of a key that comes twice, the first.
                guard name.hasPrefix("ISBN:"), parts[name] == nil else { return }
                parts[name] = try part(&reader, of: body, bearing: name.dropFirst(5))
            }
            try reader.finish()
        }
        return isbns.map { parts["ISBN:\($0)"] ?? .notFound }
    }

    /// What stands under an ISBN: the record under `details`, or the record itself.
    private static func part(
        _ reader: inout JSONReader, of body: [UInt8], bearing isbn: Substring
    ) throws(JSONReadError) -> ResponsePart {
        var outer = Identity()
        var inner: (identity: Identity, range: Range<Int>)?
        _ = try reader.peek()
        let start = reader.offset
        try reader.forEachKey { name, reader throws(JSONReadError) in
            guard name == "details" else { return try outer.take(name, &reader) }
            var identity = Identity()
            _ = try reader.peek()
            let start = reader.offset
            try reader.forEachKey { name, reader throws(JSONReadError) in try identity.take(name, &reader) }
            inner = inner ?? (identity, start..<reader.offset)
        }
        let (identity, range) = inner ?? (outer, start..<reader.offset)
        return identity.isEdition(bearing: isbn) ? .found(Array(body[range])) : .wrong
    }

    /// What an edition is known by.
    private struct Identity {
        private var key: OpenLibraryKey?
        private var numbers = DumpISBNs()

        mutating func take(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
            switch name {
            case "key":
                let text = try reader.stringIfAny()
                if key == nil { key = text.flatMap { OpenLibraryKey($0.string) } }
            case "identifiers":
                guard try reader.peek() == .object else { return }
                try reader.forEachKey { name, reader throws(JSONReadError) in
                    try self.numbers.take(name, &reader)
                }
            default: try numbers.take(name, &reader)
            }
        }

        func isEdition(bearing isbn: Substring) -> Bool {
            key?.kind == .edition && numbers.valid.contains { $0.isbn13 == isbn }
        }
    }
}
