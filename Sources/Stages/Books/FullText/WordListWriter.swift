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
