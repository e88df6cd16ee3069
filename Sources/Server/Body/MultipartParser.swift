/// Splits a `multipart/form-data` body (RFC 7578) into its parts, in pieces of any size and without holding a part
/// in memory.
package struct MultipartParser: Sendable {
    /// A part's header fields.
    package struct Part: Sendable, Hashable {
        /// The name of the form's field.
        package var name: String
        /// The name of a file; nil for a field with a plain value.
        package var fileName: String?
    }

    /// The next part of the body.
    package enum Event: Sendable, Hashable {
        case begin(Part)
        /// Bytes of the part that was begun last.
        case bytes([UInt8])
        case end
    }

    /// Why a body cannot be read.
    package enum Failure: String, Error, Sendable {
        case noBoundary = "The content type has no boundary."
        case malformed = "The body is not a form."
        case headTooLong = "The head of a part is too long."
        case tooManyParts = "The form has too many parts."
        case noName = "A part of the form has no name."
        case incomplete = "The form ends too early."
    }

    private enum Place: Sendable {
        /// Before the first delimiter.
        case preamble
        /// Behind a delimiter: a line end leads to a part, two hyphens to the end.
        case delimiter
        case head
        case content
        case epilogue
    }

    /// Maximum size of a part's head in bytes.
    static let headBytes = 4_096
    /// Maximum number of parts.
    static let mostParts = 64

    /// CR LF, two hyphens, and the boundary.
    private let delimiter: [UInt8]
    /// For each prefix of the delimiter, the length of its longest proper prefix that is also its suffix.
    private let fallback: [Int]
    private var place = Place.preamble
    /// Number of the delimiter's bytes that the last bytes match. The first delimiter needs no line end before it.
    private var matched = 2
    private var head: [UInt8] = []
    private var afterDelimiter: [UInt8] = []
    private var parts = 0

    /// - Parameter contentType: The value of the header field `Content-Type`.
    package init(contentType: String) throws(Failure) {
        guard let boundary = Self.boundary(contentType), (1...70).contains(boundary.utf8.count) else {
            throw .noBoundary
        }
        let delimiter = [13, 10] + Array("--\(boundary)".utf8)
        self.delimiter = delimiter
        fallback = Self.fallback(of: delimiter)
    }

    private static func fallback(of delimiter: [UInt8]) -> [Int] {
        var fallback = [0]
        var length = 0
        for index in 1..<delimiter.count {
            while length > 0, delimiter[index] != delimiter[length] { length = fallback[length - 1] }
            if delimiter[index] == delimiter[length] { length += 1 }
            fallback.append(length)
        }
        return fallback
    }

    /// Whether a content type is that of a form with files.
    package static func isForm(_ contentType: String) -> Bool {
        contentType.split(separator: ";").first?.lowercased().filter { $0 != " " } == "multipart/form-data"
    }

    private static func boundary(_ contentType: String) -> String? {
        parameters(contentType).first { $0.name == "boundary" }?.value
    }

    /// Takes the next bytes of the body.
    package mutating func take(_ bytes: [UInt8]) throws(Failure) -> [Event] {
        var events: [Event] = []
        var content: [UInt8] = []
        for byte in bytes {
            switch place {
            case .preamble:
                advance(byte)
                if matched == delimiter.count { beginDelimiter() }
            case .delimiter: try endDelimiter(with: byte)
            case .head:
                head.append(byte)
                guard head.count <= Self.headBytes else { throw .headTooLong }
                if head.suffix(4).elementsEqual([13, 10, 13, 10]) {
                    events.append(.begin(try part()))
                    (place, matched) = (.content, 0)
                    head = []
                }
            case .content:
                let before = matched
                advance(byte)
                if matched == delimiter.count {
                    if !content.isEmpty { events.append(.bytes(content)) }
                    content = []
                    events.append(.end)
                    beginDelimiter()
                } else {
                    // Bytes that looked like the delimiter and are not belong to the content.
                    let released = before + 1 - matched
                    if released > 0 {
                        content.append(contentsOf: delimiter[..<min(released, before)])
                        if released > before { content.append(byte) }
                    }
                }
            case .epilogue: break
            }
        }
        if !content.isEmpty { events.append(.bytes(content)) }
        return events
    }

    /// The body is over.
    package func finish() throws(Failure) {
        guard case .epilogue = place else { throw .incomplete }
    }

    /// Matches the delimiter further (Knuth, Morris, Pratt).
    private mutating func advance(_ byte: UInt8) {
        while matched > 0, delimiter[matched] != byte { matched = fallback[matched - 1] }
        if delimiter[matched] == byte { matched += 1 }
    }

    private mutating func beginDelimiter() {
        (place, matched, afterDelimiter) = (.delimiter, 0, [])
    }

    private mutating func endDelimiter(with byte: UInt8) throws(Failure) {
        afterDelimiter.append(byte)
        if afterDelimiter == [45, 45] {
            place = .epilogue
        } else if afterDelimiter.last == 10 {
            guard afterDelimiter.dropLast().last == 13,
                afterDelimiter.dropLast(2).allSatisfy({ $0 == 32 || $0 == 9 })
            else { throw .malformed }
            parts += 1
            guard parts <= Self.mostParts else { throw .tooManyParts }
            // A part without header fields has no name anyway.
            (place, head) = (.head, [])
        } else if afterDelimiter.count > 64 || afterDelimiter == [45, 10] {
            throw .malformed
        }
    }

    private func part() throws(Failure) -> Part {
        let text = String(decoding: head, as: UTF8.self)
        for line in text.split(separator: "\r\n") {
            let halves = line.split(separator: ":", maxSplits: 1)
            guard halves.count == 2, halves[0].lowercased() == "content-disposition" else { continue }
            let parameters = Self.parameters(String(halves[1]))
            guard let name = parameters.first(where: { $0.name == "name" })?.value else { throw .noName }
            return Part(name: name, fileName: parameters.first { $0.name == "filename" }?.value)
        }
        throw .noName
    }

    /// The parameters of a header field's value: `form-data; name="file"; filename="a \"b\".csv"`.
    private static func parameters(_ value: String) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        var rest = value.drop { $0 != ";" }
        while !rest.isEmpty {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            var text = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                var isEscaped = false
                while let character = rest.first {
                    rest = rest.dropFirst()
                    if isEscaped {
                        // Browsers escape the quote only; a backslash elsewhere is one.
                        if character != "\"", character != "\\" { text.append("\\") }
                        text.append(character)
                        isEscaped = false
                    } else if character == "\\" {
                        isEscaped = true
                    } else if character == "\"" {
                        break
                    } else {
                        text.append(character)
                    }
                }
                rest = rest.drop { $0 != ";" }
            } else {
                text = String(rest.prefix { $0 != ";" }).filter { $0 != " " && $0 != "\t" }
                rest = rest.drop { $0 != ";" }
            }
            parameters.append((name.lowercased().filter { $0 != " " }, text))
        }
        return parameters
    }
}
