/// Method, path, query and header fields of a request, as they arrived: nothing is unescaped.
///
/// Everything is in one buffer, because a cached answer takes less time than a dozen small allocations.
package struct RequestHead: Sendable {
    /// The methods that some route has. Others are answered with 405 or 501.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    private struct Field: Sendable {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// Nil for a method that no route has.
    package private(set) var method: Method?
    /// Whether it is a request of HTTP/1.0.
    package let isVersion10: Bool
    /// Whether the head is nothing but its parts: no line is folded, ends without CR or has a zero byte, nothing in
    /// path and query had to be escaped, and the method is a word.
    package var isClean: Bool
    private var bytes: [UInt8] = []
    private var pathRange = 0..<0
    /// The host that the target names; nil if it is only a path.
    private var authority: String?
    private var query: [Field] = []
    private var fields: [Field] = []

    /// - Parameter target: Path and query, still escaped. It may be a whole address: `http://HOST/PATH?QUERY`.
    package init(method: String, target: UnsafeRawBufferPointer, isVersion10: Bool = false) {
        self.isVersion10 = isVersion10
        self.method = Method(rawValue: method)
        isClean = self.method != nil || !method.isEmpty && method.utf8.allSatisfy(Self.isTokenByte)
        bytes.reserveCapacity(1_024)
        let end = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        let path = UnsafeRawBufferPointer(rebasing: target[..<end])
        if let host = Self.authority(in: path) {
            authority = String(decoding: path[host], as: UTF8.self)
            let rest = UnsafeRawBufferPointer(rebasing: path[host.upperBound...])
            pathRange = append(rest)
            if rest.isEmpty {
                bytes.append(UInt8(ascii: "/"))
                pathRange = 0..<1
            }
        } else {
            pathRange = append(path)
        }
        for part in target[end...].dropFirst().split(separator: UInt8(ascii: "&")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            addParameter(
                UnsafeRawBufferPointer(rebasing: name),
                UnsafeRawBufferPointer(rebasing: part[name.endIndex...].dropFirst()))
        }
    }

    /// The host in an address (RFC 9112 section 3.2.2); nil if the target is a path.
    private static func authority(in target: UnsafeRawBufferPointer) -> Range<Int>? {
        guard target.first != UInt8(ascii: "/") else { return nil }
        for scheme in ["http://", "https://"] where target.count > scheme.utf8.count {
            guard target.prefix(scheme.utf8.count).map(lower).elementsEqual(scheme.utf8) else { continue }
            let start = scheme.utf8.count
            return start..<(target[start...].firstIndex(of: UInt8(ascii: "/")) ?? target.count)
        }
        return nil
    }

    /// Adds a parameter of the query. The order is kept.
    package mutating func addParameter(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        query.append(Field(name: append(name), value: append(value)))
    }

    /// Adds a header field. The order is kept.
    package mutating func addField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        fields.append(Field(name: append(name), value: append(value)))
    }

    private mutating func append(_ text: UnsafeRawBufferPointer) -> Range<Int> {
        let start = bytes.count
        bytes.append(contentsOf: text)
        return start..<bytes.count
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Removes the path of the server from the beginning of the path. The base itself becomes `/`.
    ///
    /// - Returns: Whether the path is in it. If not, it stays as it was.
    package mutating func enter(_ base: BasePath) -> Bool {
        guard !base.isRoot else { return true }
        let path = bytes[pathRange]
        guard path.starts(with: base.text.utf8) else { return false }
        let rest = path.dropFirst(base.text.utf8.count)
        if rest.isEmpty {
            bytes.append(UInt8(ascii: "/"))
            pathRange = bytes.count - 1..<bytes.count
        } else {
            guard rest.first == UInt8(ascii: "/") else { return false }
            pathRange = rest.startIndex..<rest.endIndex
        }
        return true
    }

    /// The path, still escaped: `/v1/jobs/a%20b`.
    package var path: String { text(pathRange) }

    /// The host that the request is for: that of a whole address, else that of `Host`; empty if neither is named.
    package var host: String { authority ?? self["Host"] ?? "" }

    /// The value of a header field; nil if there is none. Of several fields with the name it is the first.
    package subscript(field: StaticString) -> String? {
        fields.first { isEqual($0.name, field) }.map { text($0.value) }
    }

    /// The same for a name that the program does not spell here.
    package func value(of name: String) -> String? {
        fields.first { text($0.name).lowercased() == name.lowercased() }.map { text($0.value) }
    }

    /// The values of all header fields with a name, in their order.
    package func values(of field: StaticString) -> [String] {
        fields.filter { isEqual($0.name, field) }.map { text($0.value) }
    }

    /// Whether the names of all header fields are tokens (RFC 9110 section 5.6.2).
    package var hasPlainNames: Bool {
        fields.allSatisfy { !$0.name.isEmpty && bytes[$0.name].allSatisfy(Self.isTokenByte) }
    }

    /// Whether the values of all header fields are free of control characters, except tabs.
    package var hasPlainValues: Bool {
        fields.allSatisfy { field in
            bytes[field.value].allSatisfy { Self.isVisible($0) || $0 == UInt8(ascii: " ") || $0 == 9 }
        }
    }

    /// Whether a byte is neither a space nor a control character.
    static func isVisible(_ byte: UInt8) -> Bool { byte > UInt8(ascii: " ") && byte != 127 }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Number of all header fields.
    var fieldCount: Int { fields.count }

    /// Number of header fields with a name.
    package func count(of field: StaticString) -> Int { fields.count { isEqual($0.name, field) } }

    /// Whether a name equals an ASCII text, whatever its case.
    private func isEqual(_ name: Range<Int>, _ text: StaticString) -> Bool {
        guard name.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for index in text.indices
            where Self.lower(bytes[name.lowerBound + index]) != Self.lower(text[index]) {
                return false
            }
            return true
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The parameters of the query with their values, unescaped, in their order. A route checks the
    /// parameters that it reads against their rules; others can have any content.
    ///
    /// - Throws: ``EscapedText/Malformed`` if one is not escaped UTF-8.
    package func parameters() throws(EscapedText.Malformed) -> [(name: String, value: String)] {
        var all: [(name: String, value: String)] = []
        for item in query {
            let name = try EscapedText.unescaped(bytes[item.name], plusIsSpace: true)
            all.append((name, try EscapedText.unescaped(bytes[item.value], plusIsSpace: true)))
        }
        return all
    }

    /// The parts of the path between slashes, unescaped. `/` has none; a slash at the end adds an empty one.
    ///
    /// - Throws: ``EscapedText/Malformed`` if one is not escaped UTF-8, or has a zero byte.
    package func segments() throws(EscapedText.Malformed) -> [String] {
        let path = bytes[pathRange]
        guard path.first == UInt8(ascii: "/"), path.count > 1 else { return [] }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let segment = try EscapedText.unescaped(part, plusIsSpace: false)
            guard !segment.utf8.contains(0) else { throw EscapedText.Malformed() }
            segments.append(segment)
        }
        return segments
    }
}

/// Text with percent-encoded bytes (RFC 3986 section 2.1).
package enum EscapedText {
    /// A text with an incomplete escape, bytes that are not UTF-8, or a zero byte where none may be.
    package struct Malformed: Error, Hashable {}

    /// Replaces escapes by the bytes that they stand for.
    ///
    /// - Parameter plusIsSpace: Whether `+` stands for a space, as in the query of a form.
    package static func unescaped(
        _ text: ArraySlice<UInt8>, plusIsSpace: Bool
    ) throws(Malformed) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < text.endIndex, let high = digit(text[index + 1]),
                    let low = digit(text[index + 2])
                else { throw Malformed() }
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Malformed() }
        return text
    }

    /// The fields of a form (`application/x-www-form-urlencoded`), in their order.
    package static func fields(_ body: [UInt8]) throws(Malformed) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for part in body.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try unescaped(sides[0], plusIsSpace: true)
            let value = sides.count > 1 ? try unescaped(sides[1], plusIsSpace: true) : ""
            guard !name.utf8.contains(0), !value.utf8.contains(0) else { throw Malformed() }
            fields.append((name, value))
        }
        return fields
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
