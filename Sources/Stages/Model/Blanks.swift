extension UnsafeRawBufferPointer {
    /// Length in bytes of the blank that begins at an offset; 0 where none does.
    ///
    /// Blanks are those that exports really hold: ASCII white space, the no-break space and the typographic
    /// spaces of UTF-8. Joiners of no width are letters' business and stay.
    @inline(__always)
    func blankLength(at offset: Int, before end: Int) -> Int {
        let byte = self[offset]
        if byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) { return 1 }
        if byte < 0xC2 { return 0 }
        return wideBlankLength(at: offset, before: end)
    }

    /// False for bytes no blank begins with; true for some more than those that one does.
    @inline(__always)
    func mayBeginBlank(_ byte: UInt8) -> Bool { byte &- 0x21 >= 0xA1 }

    private func wideBlankLength(at offset: Int, before end: Int) -> Int {
        if self[offset] == 0xC2 { return offset + 1 < end && self[offset + 1] == 0xA0 ? 2 : 0 }
        guard offset + 2 < end else { return 0 }
        switch (self[offset], self[offset + 1], self[offset + 2]) {
        case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF),
            (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
            return 3
        default:
            return 0
        }
    }

    /// The offsets of what is left without the blanks at either end.
    var trimmedBlanks: Range<Int> { trimmedBlanks(in: 0..<count) }

    /// The same within a part.
    @inline(__always)
    func trimmedBlanks(in part: Range<Int>) -> Range<Int> {
        if part.isEmpty { return part }
        // Nearly every text begins with no blank, and ends in an ASCII letter.
        if !mayBeginBlank(self[part.lowerBound]), self[part.upperBound - 1] &- 0x21 < 0x5F { return part }
        return searchedTrimmedBlanks(in: part)
    }

    private func searchedTrimmedBlanks(in part: Range<Int>) -> Range<Int> {
        var (start, end) = (part.lowerBound, part.upperBound)
        while start < end {
            let length = blankLength(at: start, before: end)
            if length == 0 { break }
            start += length
        }
        while start < end {
            // A blank of three bytes ends in a byte that could also end a letter: look from its first byte.
            let length =
                switch self[end - 1] {
                case 0x09...0x0D, 0x20: 1
                case 0xA0 where end - start >= 2 && blankLength(at: end - 2, before: end) == 2: 2
                case 0x80...0xBF where end - start >= 3 && blankLength(at: end - 3, before: end) == 3: 3
                default: 0
                }
            if length == 0 { break }
            end -= length
        }
        return start..<end
    }
}

extension Arena {
    /// The text without outer blanks, each run of inner blanks one space. A part of the same bytes where
    /// nothing inside has to change, which is nearly always; new bytes otherwise.
    public mutating func folded(_ text: Text) -> Text {
        let (trimmed, isClean) = withBytes(text) { bytes in
            let trimmed = bytes.trimmedBlanks
            return (trimmed, Self.isFolded(bytes, in: trimmed))
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
                if blank == 0 {
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

    /// Whether every blank in the part is one plain space.
    ///
    /// Eight bytes at a time as long as they are ASCII: spaces come too irregularly for a branch on each to
    /// be guessed well, and this looks at every title and name.
    private static func isFolded(_ bytes: UnsafeRawBufferPointer, in part: Range<Int>) -> Bool {
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
        return isFolded(bytes, in: at..<part.upperBound, after: wasBlank)
    }

    private static func isFolded(_ bytes: UnsafeRawBufferPointer, in part: Range<Int>, after blank: Bool)
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
                if bytes.blankLength(at: at, before: part.upperBound) > 0 { return false }
            } else if wasBlank {
                return false
            }
            wasBlank = byte == 0x20
        }
        return true
    }
}
