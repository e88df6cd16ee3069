import Bytes

/// Writes JSON (RFC 8259) into a growing buffer of bytes: UTF-8, keys in the order they are written.
///
/// The writer sets commas, quotes and, if asked, line breaks; whoever writes sees only names and values:
///
/// ```swift
/// var out = JSONWriter()
/// out.object { out in
///     out.field("title", "Emma")
///     out.field("subtitle", noSubtitle)  // nil: the key is left out
/// }
/// ```
/// It never fails. Text that is not UTF-8 shows as U+FFFD, a number that JSON cannot spell (NaN, infinity) as
/// `null`. A long answer is written in pieces: whoever owns the writer calls ``drain(_:)`` between two
/// values.
///
/// It is an encoder of ours because Codable's costs six times as much; Codable is the oracle of its tests.
package struct JSONWriter: ~Copyable {
    /// How it looks.
    package enum Layout: Sendable {
        /// No blank anywhere.
        case compact
        /// A line for each value, indented by two blanks a level.
        case pretty
    }

    /// What was written since the last drain.
    package internal(set) var bytes: [UInt8]
    private let layout: Layout
    private var depth = 0
    private var place = Place.here

    /// What the next key or value needs before it.
    private enum Place {
        /// Nothing: it begins the text or follows its key.
        case here
        /// It is the first of its object or array.
        case first
        /// It follows another one.
        case next
    }

    /// Makes a writer with an empty buffer of the given capacity in bytes.
    package init(_ layout: Layout = .compact, capacity: Int = 0) {
        self.layout = layout
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Lends what was written and forgets it, keeping the memory for what comes next.
    package mutating func drain<Failure: Error>(
        _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var thrown: Failure?
        bytes.withUnsafeBytes { written in
            do throws(Failure) { try take(written) } catch { thrown = error }
        }
        if let thrown { throw thrown }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Begins a new text in the same buffer: whatever was written is forgotten.
    package mutating func restart() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        place = .here
    }

    // MARK: Structure

    /// Writes an object whose fields `fields` writes.
    package mutating func object<Failure: Error>(
        _ fields: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try fields(&self)
        endObject()
    }

    /// Writes an array whose elements `elements` writes.
    package mutating func array<Failure: Error>(
        _ elements: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginArray()
        try elements(&self)
        endArray()
    }

    /// Opens an object that is closed later, after pieces were drained.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    /// Opens an array that is closed later, after pieces were drained.
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a key known when the code was written: ASCII that needs no escape.
    package mutating func key(_ key: StaticString) {
        separate()
        bytes.append(Self.quote)
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(Self.quote)
        endKey()
    }

    /// Writes a key that comes from data.
    package mutating func key(_ key: String) {
        separate()
        var key = key
        key.withUTF8 { appendQuoted(UnsafeRawBufferPointer($0)) }
        endKey()
    }

    /// Ends the line after a whole value, so that another may follow: NDJSON.
    package mutating func endLine() {
        assert(depth == 0, "a line ends after a whole value")
        bytes.append(Self.newline)
        place = .here
    }

    // MARK: Values

    /// Writes a text.
    package mutating func string(_ value: String) {
        separate()
        var value = value
        value.withUTF8 { appendQuoted(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a text from bytes that should be UTF-8; those that are not show as U+FFFD.
    package mutating func string(utf8: UnsafeRawBufferPointer) {
        separate()
        appendQuoted(utf8)
    }

    package mutating func integer(_ value: Int64) {
        separate()
        bytes.append(digitsOf: value)
    }

    /// Writes the shortest digits that read back as the same number, whatever the locale.
    package mutating func number(_ value: Double) {
        separate()
        guard value.isFinite else { return bytes.append("null") }
        // Below 2⁵³ every whole number is exact; −0 would lose its sign.
        if value.magnitude < 0x1p53, value.rounded(.towardZero) == value, value.sign == .plus || value != 0 {
            return bytes.append(digitsOf: Int64(value))
        }
        var digits = value.description
        digits.withUTF8 { bytes.append(contentsOf: $0) }
    }

    package mutating func boolean(_ value: Bool) {
        separate()
        bytes.append(value ? "true" : "false")
    }

    package mutating func null() {
        separate()
        bytes.append("null")
    }

    /// Writes a value that is JSON already, as the store keeps lists.
    package mutating func spliced(json: UnsafeRawBufferPointer) {
        separate()
        bytes.append(contentsOf: json)
    }

    // MARK: Punctuation

    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")

    @inline(__always)
    private mutating func separate() {
        if place != .here {
            if place == .next { bytes.append(UInt8(ascii: ",")) }
            if layout == .pretty { breakLine() }
        }
        place = .next
    }

    private mutating func endKey() {
        bytes.append(UInt8(ascii: ":"))
        if layout == .pretty { bytes.append(UInt8(ascii: " ")) }
        place = .here
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        place = .first
    }

    private mutating func close(_ bracket: UInt8) {
        assert(depth > 0, "closed more than was opened")
        depth -= 1
        // Empty ones stay on their line: {} and [].
        if layout == .pretty, place == .next { breakLine() }
        bytes.append(bracket)
        place = .next
    }

    private mutating func breakLine() {
        bytes.append(Self.newline)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}
