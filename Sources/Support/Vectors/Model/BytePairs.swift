/// Byte-pair encoding: a word begins as characters, and the pair that was learned first is joined until none is left.
struct BytePairs: Sendable {
    /// A pair that is joined: its rank, the earlier the better, and the token that it becomes.
    private struct Merge {
        var key: UInt64
        var rank: UInt32
        var token: Int32
    }

    private static let none = UInt32.max

    private let tokens: ByteTable
    /// The tokens of single bytes, for characters that are no tokens; empty if there are none.
    private let byteTokens: [Int32]
    private let unknown: Int32?
    private let joinsUnknown: Bool
    private var slots: [Merge]

    /// - Parameters:
    ///   - pairs: The pairs of tokens in the order of their rank.
    ///   - byteTokens: The tokens of the 256 bytes; empty if there are none.
    ///   - unknown: The token of characters that have none.
    init(
        _ tokens: ByteTable, pairs: [(left: Int32, right: Int32, token: Int32)], byteTokens: [Int32],
        unknown: Int32?, joinsUnknown: Bool
    ) {
        self.tokens = tokens
        self.byteTokens = byteTokens
        self.unknown = unknown
        self.joinsUnknown = joinsUnknown
        var size = 16
        while size < pairs.count * 2 { size *= 2 }
        slots = [Merge](repeating: Merge(key: .max, rank: Self.none, token: -1), count: size)
        for (rank, pair) in pairs.enumerated() {
            let key = Self.key(pair.left, pair.right)
            var slot = Self.slot(key, size)
            while slots[slot].key != .max, slots[slot].key != key { slot = (slot + 1) & (size - 1) }
            // Of equal pairs, the last counts, as in a dictionary.
            slots[slot] = Merge(key: key, rank: UInt32(rank), token: pair.token)
        }
    }

    /// Appends the tokens of a word.
    func append(_ word: UnsafeRawBufferPointer, to out: inout [Int32]) {
        var symbols: [Int32] = []
        symbols.reserveCapacity(word.count)
        var (index, isAfterUnknown) = (0, false)
        while index < word.count {
            let length = Self.length(of: word[index])
            let character = UnsafeRawBufferPointer(rebasing: word[index..<min(index + length, word.count)])
            index += character.count
            if let token = tokens.value(of: character) {
                symbols.append(token)
                isAfterUnknown = false
            } else if byteTokens.count == 256 {
                for byte in character { symbols.append(byteTokens[Int(byte)]) }
                isAfterUnknown = false
            } else if let unknown {
                if !(joinsUnknown && isAfterUnknown) { symbols.append(unknown) }
                isAfterUnknown = true
            }
        }
        join(&symbols)
        out += symbols
    }

    private func join(_ symbols: inout [Int32]) {
        guard symbols.count > 1 else { return }
        // The merge of each symbol with the next one. Only two of them change when a pair is joined.
        var merges = (0..<symbols.count - 1).map { merge(symbols[$0], symbols[$0 + 1]) }
        while true {
            var (best, place) = (Self.none, -1)
            for index in merges.indices where merges[index].rank < best {
                (best, place) = (merges[index].rank, index)
            }
            guard place >= 0 else { return }
            symbols[place] = merges[place].token
            symbols.remove(at: place + 1)
            merges.remove(at: place)
            if place < merges.count { merges[place] = merge(symbols[place], symbols[place + 1]) }
            if place > 0 { merges[place - 1] = merge(symbols[place - 1], symbols[place]) }
        }
    }

    private func merge(_ left: Int32, _ right: Int32) -> (rank: UInt32, token: Int32) {
        let key = Self.key(left, right)
        var slot = Self.slot(key, slots.count)
        while slots[slot].key != .max {
            if slots[slot].key == key { return (slots[slot].rank, slots[slot].token) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return (Self.none, -1)
    }

    private static func key(_ left: Int32, _ right: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
    }

    private static func slot(_ key: UInt64, _ size: Int) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & (size - 1)
    }

    /// The length of the character that begins with a byte of UTF-8.
    private static func length(of byte: UInt8) -> Int {
        byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    }
}
