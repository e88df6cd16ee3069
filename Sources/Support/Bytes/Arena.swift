/// The bytes of a batch, which the ``Text`` values of its records point into.
///
/// One growing buffer replaces thousands of strings. It only grows, so a text is valid as long as its batch.
/// The maximum size is 4 GiB, far above the maximum size of a batch.
package struct Arena: Sendable {
    @usableFromInline var storage: [UInt8]

    /// An empty arena.
    ///
    /// - Parameter capacity: Number of bytes to reserve.
    @inlinable
    package init(capacity: Int = 0) {
        storage = []
        storage.reserveCapacity(capacity)
    }

    /// Number of bytes, including those that no text points to any more.
    @inlinable
    package var byteCount: Int { storage.count }

    /// Removes all bytes, which invalidates all texts. Keeps the memory.
    @inlinable
    package mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

    /// Number of bytes that can be added without growing.
    @inlinable
    package var room: Int { storage.capacity - storage.count }

    /// Reserves space for `count` more bytes.
    @inlinable
    package mutating func reserve(_ count: Int) { storage.reserveCapacity(storage.count + count) }

    /// Appends bytes and returns where they are.
    @inlinable
    package mutating func append(_ bytes: UnsafeRawBufferPointer) -> Text {
        guard !bytes.isEmpty else { return .none }
        let text = Text(offset: UInt32(storage.count), length: UInt32(bytes.count))
        storage.append(contentsOf: bytes)
        return text
    }

    /// Appends bytes and returns where they are.
    @inlinable
    package mutating func append(_ bytes: some Collection<UInt8>) -> Text {
        guard !bytes.isEmpty else { return .none }
        let offset = storage.count
        storage.append(contentsOf: bytes)
        return Text(offset: UInt32(offset), length: UInt32(storage.count - offset))
    }

    /// Appends a string's UTF-8 and returns where it is.
    @inlinable
    package mutating func append(_ string: some StringProtocol) -> Text {
        append(string.utf8)
    }

    /// Lets `write` append any number of bytes and returns where they are.
    @inlinable
    package mutating func append(writing write: (inout [UInt8]) -> Void) -> Text {
        let offset = storage.count
        write(&storage)
        return storage.count == offset
            ? .none : Text(offset: UInt32(offset), length: UInt32(storage.count - offset))
    }

    /// The text as a `String`. Invalid UTF-8 becomes U+FFFD.
    @inlinable
    package subscript(_ text: Text) -> String {
        String(decoding: storage[text.range], as: UTF8.self)
    }

    /// A copy of the text's bytes.
    @inlinable
    package func bytes(_ text: Text) -> [UInt8] { Array(storage[text.range]) }

    /// Calls `body` with the text's bytes.
    @inline(__always)
    @inlinable
    package func withBytes<Result>(_ text: Text, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[text.range])) }
    }

    /// Calls `body` with the whole buffer, for loops over many texts.
    @inline(__always)
    @inlinable
    package func withAllBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeBytes(body)
    }

    /// Whether two texts have the same bytes.
    @inlinable
    package func equal(_ a: Text, _ b: Text) -> Bool {
        if a == b { return true }
        guard a.length == b.length else { return false }
        return storage.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[a.range])
                .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: bytes[b.range]))
        }
    }
}

/// A range of bytes in a batch's ``Arena``: UTF-8 text that becomes a `String` only when it is shown.
///
/// Its size is eight bytes. The empty text means an absent value. Exports, catalogs and providers leave out
/// unknown values, so empty and absent need not be distinguished.
package struct Text: Sendable, Hashable {
    /// Offset in the arena.
    package var offset: UInt32
    /// Length in bytes.
    package var length: UInt32

    /// The absent value.
    @inlinable
    package static var none: Text { Text(offset: 0, length: 0) }

    /// A range of bytes. It is not checked against the arena that it is used with.
    @inlinable
    package init(offset: UInt32, length: UInt32) {
        self.offset = offset
        self.length = length
    }

    /// Whether the value is absent.
    @inlinable
    package var isEmpty: Bool { length == 0 }

    /// A part of the text. `part` counts bytes from the text's start.
    @inlinable
    package func part(_ part: Range<Int>) -> Text {
        part.isEmpty ? .none : Text(offset: offset + UInt32(part.lowerBound), length: UInt32(part.count))
    }

    /// The range of its bytes in the arena.
    @inlinable
    package var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
}

extension Arena {
    /// The text without leading and trailing blanks, with inner blanks collapsed to one space and without soft
    /// hyphens, which are not seen. Usually nothing inside changes, and the result is a part of the same bytes.
    /// Otherwise new bytes are appended.
    package mutating func collapsingBlanks(_ text: Text) -> Text {
        let (trimmed, isClean) = withBytes(text) { bytes in
            let trimmed = bytes.trimmedBlanks
            return (trimmed, Self.hasCollapsedBlanks(bytes, in: trimmed))
        }
        guard !trimmed.isEmpty else { return .none }
        let start = Int(text.offset) + trimmed.lowerBound
        guard !isClean else { return Text(offset: UInt32(start), length: UInt32(trimmed.count)) }
        var kept: [UInt8] = []
        kept.reserveCapacity(trimmed.count)
        withBytes(text) { bytes in
            var at = trimmed.lowerBound
            while at < trimmed.upperBound {
                let blank = bytes.blankLength(at: at, before: trimmed.upperBound)
                if Self.isSoftHyphen(bytes, at: at, before: trimmed.upperBound) {
                    at += 2
                } else if blank == 0 {
                    kept.append(bytes[at])
                    at += 1
                } else {
                    if kept.last != 0x20 { kept.append(0x20) }
                    at += blank
                }
            }
        }
        return append(kept)
    }

    /// Whether U+00AD is at an index.
    private static func isSoftHyphen(_ bytes: UnsafeRawBufferPointer, at index: Int, before end: Int) -> Bool
    {
        bytes[index] == 0xC2 && index + 1 < end && bytes[index + 1] == 0xAD
    }

    /// Whether every blank in the part is a single plain space, and there is no soft hyphen.
    ///
    /// Reads eight bytes at a time while they are ASCII. A branch on each space would often be mispredicted,
    /// and this is called for every title and name.
    private static func hasCollapsedBlanks(_ bytes: UnsafeRawBufferPointer, in part: Range<Int>) -> Bool {
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        var at = part.lowerBound
        var wasBlank = false
        while part.upperBound - at >= 8 {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
            let isControl = (word &- ones &* 0x20) & ~word & tops != 0
            if isControl || word & tops != 0 { break }
            let other = word ^ (ones &* 0x20)
            // The top bit of each byte that is a space.
            let spaces = ~((other & ~tops) &+ ~tops | other | ~tops)
            if spaces & (spaces << 8 | (wasBlank ? 0x80 : 0)) != 0 { return false }
            wasBlank = spaces >> 63 == 1
            at += 8
        }
        return hasCollapsedBlanks(bytes, in: at..<part.upperBound, after: wasBlank)
    }

    private static func hasCollapsedBlanks(
        _ bytes: UnsafeRawBufferPointer, in part: Range<Int>, after blank: Bool
    )
        -> Bool
    {
        var wasBlank = blank
        for at in part {
            let byte = bytes[at]
            guard bytes.mayBeginBlank(byte) else {
                wasBlank = false
                continue
            }
            if byte != 0x20 {
                if bytes.blankLength(at: at, before: part.upperBound) > 0
                    || isSoftHyphen(bytes, at: at, before: part.upperBound)
                {
                    return false
                }
            } else if wasBlank {
                return false
            }
            wasBlank = byte == 0x20
        }
        return true
    }
}
