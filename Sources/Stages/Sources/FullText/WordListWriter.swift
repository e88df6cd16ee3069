import Bytes
import Database
import System

/// Writes the words of a full-text index in ascending order, for ``WordList``.
struct WordListWriter {
    private let insert: Statement
    private var block: [UInt8] = []
    /// The first word of the block.
    private var first: [UInt8] = []
    private var count: Int64 = 0

    /// - Parameter connection: A database whose `search_term` is empty.
    init(_ connection: Connection) throws(ETLError) {
        insert = try connection.prepare("INSERT INTO main.search_term VALUES (?,?,?)")
    }

    /// - Parameter word: Must follow the previous word in byte order.
    /// - Returns: The word's number.
    mutating func append(_ word: [UInt8], documents: Int64) throws(ETLError) -> Int64 {
        let (number, place) = WordBlock.place(ofWord: count)
        if place == 0 {
            try writeBlock(number - 1)
            first = word
        }
        word.withUnsafeBytes { WordBlock.append($0, documents: documents, to: &block) }
        count += 1
        return count - 1
    }

    /// Writes the last block. Call it once, after all words.
    mutating func finish() throws(ETLError) {
        try writeBlock(WordBlock.place(ofWord: count - 1).block)
    }

    private mutating func writeBlock(_ number: Int64) throws(ETLError) {
        guard !block.isEmpty else { return }
        insert.bind(1, number)
        insert.bind(3, blob: block)
        try first.lend { first throws(ETLError) in
            insert.bind(2, textInPlace: first)
            try insert.run()
        }
        block.removeAll(keepingCapacity: true)
    }
}

/// A block of words, as stored in `search_term`: words in ascending order, each with its number of documents.
///
///     length of the word in bytes   the word   documents
///
/// Words are numbered from 0 in ascending order, so blocks with lower numbers have lower words.
enum WordBlock {
    /// Words per block; the last block may have fewer.
    private static let maxWords: Int64 = 64

    /// A word has no more documents; a larger stored number is damage.
    private static let maxDocuments: UInt64 = 1 << 40

    /// The block with the word of a number, and the word's index in it.
    static func place(ofWord number: Int64) -> (block: Int64, place: Int64) {
        (number / maxWords, number % maxWords)
    }

    static func append(_ word: UnsafeRawBufferPointer, documents: Int64, to block: inout [UInt8]) {
        Varint.append(UInt64(word.count), to: &block)
        block.append(contentsOf: word)
        Varint.append(UInt64(bitPattern: documents), to: &block)
    }

    /// Calls `body` with each word of a block until it returns false. Damaged bytes end the block.
    ///
    /// - Parameter body: Returns whether to continue.
    static func visit(_ block: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Int64) -> Bool) {
        var offset = 0
        while offset < block.count {
            guard let length = Varint.take(block, at: &offset, atMost: 4),
                length <= UInt64(block.count - offset)
            else { return }
            let word = UnsafeRawBufferPointer(rebasing: block[offset..<offset + Int(length)])
            offset += Int(length)
            guard let documents = Varint.take(block, at: &offset),
                body(word, Int64(min(documents, maxDocuments)))
            else { return }
        }
    }
}
