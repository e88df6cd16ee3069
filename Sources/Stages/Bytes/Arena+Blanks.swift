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
