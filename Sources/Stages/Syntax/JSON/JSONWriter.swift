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

/// Strings of JSON (RFC 8259 section 7). Most text needs no escape, so it is copied in runs; the scan for a
/// run's end looks at eight bytes at a time.
extension JSONWriter {
    /// Appends the text between quotes, escaping what JSON demands: `"`, `\` and what is below U+0020; and
    /// also U+2028 and U+2029, which are legal but end a line for older JavaScript and for readers that split
    /// NDJSON at Unicode's line ends. Each maximal part of an ill-formed sequence becomes one U+FFFD, as in
    /// `String`.
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

    /// Index of the first byte at or after `start` that is not printable ASCII to be copied as it is.
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

    /// Sets the high bit of each byte that is special. A borrow may set bits above the first special byte
    /// wrongly, never below it, and only the first is asked for.
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

/// One sequence of bytes from 0x80 up, judged by table 3-7 of the Unicode Standard ("Well-Formed UTF-8 Byte
/// Sequences"): overlong forms, surrogates and what lies above U+10FFFF are ill-formed.
private struct UTF8Sequence {
    /// Its bytes if well-formed, else those of its maximal subpart: at least one.
    let length: Int
    let isWellFormed: Bool
    /// Whether it is U+2028 or U+2029.
    let isLineEnd: Bool

    /// Looks at the sequence that begins at `start`, where a byte from 0x80 up stands.
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
        default: needed = 1  // a continuation without its head, or a byte UTF-8 never uses
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
