import Bytes
import Database

/// Writes the words of a full-text index, in their order, as ``WordList`` reads them.
struct WordListWriter {
    private let insert: Statement
    private var block: [UInt8] = []
    /// The first word of the block.
    private var first: [UInt8] = []
    private var count: Int64 = 0

    /// - Parameter connection: A database whose `search_term` is empty.
    init(_ connection: Connection) throws(SQLiteError) {
        insert = try connection.prepare("INSERT INTO main.search_term VALUES (?,?,?)")
    }

    /// - Parameter word: In the order of bytes behind those before it.
    /// - Returns: The word's number.
    mutating func append(_ word: [UInt8], documents: Int64) throws(SQLiteError) -> Int64 {
        let (number, place) = WordBlock.place(ofWord: count)
        if place == 0 {
            try writeBlock(number - 1)
            first = word
        }
        word.withUnsafeBytes { WordBlock.append($0, documents: documents, to: &block) }
        count += 1
        return count - 1
    }

    /// Writes what waits. Nothing is appended after it.
    mutating func finish() throws(SQLiteError) {
        try writeBlock(WordBlock.place(ofWord: count - 1).block)
    }

    private mutating func writeBlock(_ number: Int64) throws(SQLiteError) {
        guard !block.isEmpty else { return }
        insert.bind(1, number)
        insert.bind(3, blob: block)
        try first.lend { first throws(SQLiteError) in
            insert.bind(2, textInPlace: first)
            try insert.run()
        }
        block.removeAll(keepingCapacity: true)
    }
}

/// A block of an index's words, as `search_term` keeps it: words in their order, each with the number of its documents.
///
///     length of the word in bytes   the word   documents
///
/// Words are numbered from 0 in their order, so a block of a number below has words below.
enum WordBlock {
    /// Words of a block; the last one may have fewer.
    private static let maxWords: Int64 = 64

    /// The block that has a word of a number, and the word's place in it, from 0.
    static func place(ofWord number: Int64) -> (block: Int64, place: Int64) {
        (number / maxWords, number % maxWords)
    }

    static func append(_ word: UnsafeRawBufferPointer, documents: Int64, to block: inout [UInt8]) {
        Varint.append(UInt64(word.count), to: &block)
        block.append(contentsOf: word)
        Varint.append(UInt64(bitPattern: documents), to: &block)
    }

    /// Hands out the words of a block until it is told to leave off; what is damaged ends it.
    ///
    /// - Parameter body: Returns whether it wants more.
    static func visit(_ block: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Int64) -> Bool) {
        var offset = 0
        while offset < block.count {
            guard let length = Varint.take(block, at: &offset, atMost: 4),
                length <= UInt64(block.count - offset)
            else { return }
            let word = UnsafeRawBufferPointer(rebasing: block[offset..<offset + Int(length)])
            offset += Int(length)
            guard let documents = Varint.take(block, at: &offset),
                body(word, Int64(truncatingIfNeeded: documents))
            else { return }
        }
    }
}
