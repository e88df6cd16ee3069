/// Word pieces, as models of the BERT family have them: the longest token that a word begins with, then the longest one
/// that goes on with the rest.
struct WordPieces: Sendable {
    private let tokens: ByteTable
    /// What tokens begin with that continue a word: `##`.
    private let prefix: [UInt8]
    /// Characters of the longest word that is split.
    private let mostCharacters: Int

    init(_ tokens: ByteTable, prefix: [UInt8], mostCharacters: Int) {
        self.tokens = tokens
        self.prefix = prefix
        self.mostCharacters = mostCharacters
    }

    /// Appends the tokens of a word; none if a part of it is no token. Such words would all have the same vector.
    func append(_ word: UnsafeRawBufferPointer, to out: inout [Int32]) {
        guard word.reduce(0, { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }) <= mostCharacters else { return }
        let before = out.count
        var (start, part) = (0, [UInt8]())
        while start < word.count {
            var end = word.count
            var found: Int32?
            while end > start {
                let piece = UnsafeRawBufferPointer(rebasing: word[start..<end])
                if start == 0 {
                    found = tokens.value(of: piece)
                } else {
                    part.removeAll(keepingCapacity: true)
                    part += prefix
                    part += piece
                    found = part.withUnsafeBytes { tokens.value(of: $0) }
                }
                if found != nil { break }
                repeat { end -= 1 } while end > start && word[end] & 0xC0 == 0x80
            }
            guard let found else {
                out.removeSubrange(before...)
                return
            }
            out.append(found)
            start = end
        }
    }
}
