import Bytes

/// Writes JSON (RFC 8259) into a growing buffer: UTF-8, keys in the order they are written.
///
/// The writer adds commas, quotes and, if requested, line breaks; the caller passes names and values:
///
/// ```swift
/// var out = JSONWriter()
/// out.object { out in
///     out.field("title", "Emma")
///     out.field("subtitle", noSubtitle)  // nil: the key is left out
/// }
/// ```
/// It never fails. Text that is not UTF-8 becomes U+FFFD; a number that JSON cannot represent (NaN, infinity)
/// becomes `null`. Long output is written in pieces: the owner of the writer calls ``drain(_:)`` between two
/// values.
///
/// It exists because Codable's encoder is six times slower. Tests compare its output with Codable's.
package struct JSONWriter: ~Copyable {
    /// Format of the output.
    package enum Layout: Sendable {
        /// Without any whitespace.
        case compact
        /// One line per value, indented by two spaces per level.
        case pretty
    }

    /// Output since the last drain.
    package internal(set) var bytes: [UInt8]
    private let layout: Layout
    private var depth = 0
    private var place = Place.here

    /// Separator required before the next key or value.
    private enum Place {
        /// Nothing: it begins the output or follows its key.
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

    /// Passes the output to `take` and discards it. The memory is reused.
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

    /// Discards the output and begins a new value in the same buffer.
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

    /// Opens an object that is closed later, so that the output can be drained in between.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    /// Opens an array that is closed later, so that the output can be drained in between.
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a key that is part of the code: ASCII that needs no escape.
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

    /// Ends the line after a complete value, so that another may follow: NDJSON.
    package mutating func endLine() {
        assert(depth == 0, "unfinished value in JSONWriter")
        bytes.append(Self.newline)
        place = .here
    }

    // MARK: Values

    /// Writes a string.
    package mutating func string(_ value: String) {
        separate()
        var value = value
        value.withUTF8 { appendQuoted(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string from bytes. Bytes that are not UTF-8 become U+FFFD.
    package mutating func string(utf8: UnsafeRawBufferPointer) {
        separate()
        appendQuoted(utf8)
    }

    package mutating func integer(_ value: Int64) {
        separate()
        bytes.append(digitsOf: value)
    }

    /// Writes the shortest digits that are read back as the same number, independent of the locale.
    package mutating func number(_ value: Double) {
        separate()
        guard value.isFinite else { return bytes.append("null") }
        // Below 2⁵³ every whole number is exact. −0 would lose its sign.
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

    /// Writes a value that is already JSON, such as a list from the store.
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
        assert(depth > 0, "unbalanced end in JSONWriter")
        depth -= 1
        // Empty containers stay on one line: {} and [].
        if layout == .pretty, place == .next { breakLine() }
        bytes.append(bracket)
        place = .next
    }

    private mutating func breakLine() {
        bytes.append(Self.newline)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}

/// JSON strings (RFC 8259 section 7). Most text needs no escape, so it is copied in runs. The search for a
/// run's end checks eight bytes at a time.
extension JSONWriter {
    /// Appends the text in quotes, with the escapes that JSON requires: `"`, `\` and characters below U+0020.
    /// U+2028 and U+2029 are escaped too: they are legal, but end a line for older JavaScript and for readers
    /// that split NDJSON at Unicode line ends. Each maximal part of an ill-formed sequence becomes one
    /// U+FFFD, as in `String`.
    mutating func appendQuoted(_ utf8: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        var runStart = 0
        var index = Self.endOfPlainRun(utf8, from: 0)
        while index < utf8.count {
            let byte = utf8[index]
            var length = 1
            if byte >= 0x80 {
                let sequence = UTF8Sequence(utf8, at: index)
                length = sequence.length
                if sequence.isWellFormed && !sequence.isLineEnd {
                    index += length
                    if index < utf8.count, utf8[index] < 0x80 {
                        index = Self.endOfPlainRun(utf8, from: index)
                    }
                    continue
                }
                appendRun(utf8, runStart..<index)
                if sequence.isWellFormed {
                    appendEscape(UInt16(0x2000) | UInt16(utf8[index + 2] & 0x3F))
                } else {
                    bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
                }
            } else {
                appendRun(utf8, runStart..<index)
                appendEscape(ascii: byte)
            }
            index += length
            runStart = index
            index = Self.endOfPlainRun(utf8, from: index)
        }
        appendRun(utf8, runStart..<utf8.count)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Index of the first byte at or after `start` that is not plain printable ASCII.
    private static func endOfPlainRun(_ utf8: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while utf8.count - index >= 8 {
            let word = UInt64(littleEndian: utf8.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let hits = specialBytes(word)
            if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < utf8.count, !isSpecial(utf8[index]) { index += 1 }
        return index
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Sets the high bit of each special byte. A borrow may wrongly set bits above the first special byte,
    /// never below it, and only the first is used.
    @inline(__always)
    private static func specialBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (word &- ones &* 0x20) & ~word
        return (controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | word)
            & (ones &* 0x80)
    }

    @inline(__always)
    private mutating func appendRun(_ utf8: UnsafeRawBufferPointer, _ run: Range<Int>) {
        if !run.isEmpty { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[run])) }
    }

    private mutating func appendEscape(ascii byte: UInt8) {
        let short: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): short = byte
        case 0x08: short = UInt8(ascii: "b")
        case 0x09: short = UInt8(ascii: "t")
        case 0x0A: short = UInt8(ascii: "n")
        case 0x0C: short = UInt8(ascii: "f")
        case 0x0D: short = UInt8(ascii: "r")
        default: return appendEscape(UInt16(byte))
        }
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(short)
    }

    /// Appends `\u` and four hexadecimal digits.
    private mutating func appendEscape(_ unit: UInt16) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: (unit >> UInt16(shift)) & 0xF)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

/// One sequence of bytes from 0x80 up, checked against table 3-7 of the Unicode Standard ("Well-Formed UTF-8
/// Byte Sequences"). Overlong forms, surrogates and code points above U+10FFFF are ill-formed.
private struct UTF8Sequence {
    /// Its length in bytes if well-formed; otherwise the length of its maximal subpart, at least 1.
    let length: Int
    let isWellFormed: Bool
    /// Whether it is U+2028 or U+2029.
    let isLineEnd: Bool

    /// Examines the sequence at `start`, where there must be a byte from 0x80 up.
    init(_ utf8: UnsafeRawBufferPointer, at start: Int) {
        let needed: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch utf8[start] {
        case 0xC2...0xDF: needed = 2
        case 0xE0: (needed, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: needed = 3
        case 0xED: (needed, second) = (3, 0x80...0x9F)
        case 0xF0: (needed, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: needed = 4
        case 0xF4: (needed, second) = (4, 0x80...0x8F)
        default: needed = 1  // a continuation byte without a lead byte, or a byte that UTF-8 never uses
        }
        var found = 1
        while found < needed, start + found < utf8.count,
            (found == 1 ? second : 0x80...0xBF).contains(utf8[start + found])
        {
            found += 1
        }
        length = found
        isWellFormed = needed > 1 && found == needed
        isLineEnd =
            isWellFormed && needed == 3 && utf8[start] == 0xE2 && utf8[start + 1] == 0x80
            && (utf8[start + 2] == 0xA8 || utf8[start + 2] == 0xA9)
    }
}
