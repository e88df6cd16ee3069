import Bytes

/// A batch of results, borrowed while it is written: its arrays as plain memory.
///
/// The writer processes a batch table by table and binds bytes that statements read later. The memory stays
/// in place, without reference counting or copying, until the closure of `ResultBatch.lend(_:)` returns.
/// Nothing may be kept longer.
struct ResultBatchView {
    private let bytes: UnsafeRawBufferPointer
    /// The number of the first record's rows (``RowNumbers``).
    let firstRow: Int64
    let rows: UnsafeBufferPointer<PreparedRow>
    let columns: UnsafeBufferPointer<Text>
    let isbns: UnsafeBufferPointer<Int64>
    let authors: UnsafeBufferPointer<PreparedAuthor>
    let candidates: UnsafeBufferPointer<PreparedCandidate>

    fileprivate init(
        bytes: UnsafeRawBufferPointer, firstRow: Int64, rows: UnsafeBufferPointer<PreparedRow>,
        columns: UnsafeBufferPointer<Text>, isbns: UnsafeBufferPointer<Int64>,
        authors: UnsafeBufferPointer<PreparedAuthor>, candidates: UnsafeBufferPointer<PreparedCandidate>
    ) {
        self.bytes = bytes
        self.firstRow = firstRow
        self.rows = rows
        self.columns = columns
        self.isbns = isbns
        self.authors = authors
        self.candidates = candidates
    }

    /// The bytes of a text.
    @inline(__always)
    func bytes(of text: Text) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[text.range])
    }

    /// The id of a record's new work, edition and entry.
    @inline(__always)
    func row(of prepared: Int) -> Int64 { firstRow + Int64(prepared) }

    /// The text as a `String`.
    func string(_ text: Text) -> String { String(decoding: bytes(of: text), as: UTF8.self) }

    /// The ISBN of a prepared row's edition.
    func firstISBN(of prepared: PreparedRow) -> Int64? { prepared.isbns.first.map { isbns[$0] } }
}

extension ResultBatch {
    /// Lends the batch to `body`.
    ///
    /// - Parameter firstRow: The number of the first record's rows.
    func lend<Result>(firstRow: Int64, _ body: (ResultBatchView) -> Result) -> Result {
        arena.withAllBytes { bytes in
            rows.withUnsafeBufferPointer { rows in
                columns.withUnsafeBufferPointer { columns in
                    isbns.withUnsafeBufferPointer { isbns in
                        authors.withUnsafeBufferPointer { authors in
                            candidates.withUnsafeBufferPointer { candidates in
                                body(
                                    ResultBatchView(
                                        bytes: bytes, firstRow: firstRow, rows: rows, columns: columns,
                                        isbns: isbns,
                                        authors: authors, candidates: candidates))
                            }
                        }
                    }
                }
            }
        }
    }
}
