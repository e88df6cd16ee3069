import Bytes

/// A batch of results lent for the time it is written: its arrays as plain memory.
///
/// The writer goes over a batch table by table and binds bytes that statements read later. All of it stands still, and
/// nothing is counted or copied, until the closure of ``ResultBatch/lend(_:)`` ends; nothing of it is kept longer.
struct ResultBatchView {
    private let bytes: UnsafeRawBufferPointer
    /// What the new rows of the first record are known by (``RowNumbers``).
    let firstRow: Int64
    let drafts: UnsafeBufferPointer<ResultDraft>
    let columns: UnsafeBufferPointer<Text>
    let isbns: UnsafeBufferPointer<Int64>
    let authors: UnsafeBufferPointer<AuthorDraft>
    let candidates: UnsafeBufferPointer<CandidateDraft>

    fileprivate init(
        bytes: UnsafeRawBufferPointer, firstRow: Int64, drafts: UnsafeBufferPointer<ResultDraft>,
        columns: UnsafeBufferPointer<Text>, isbns: UnsafeBufferPointer<Int64>,
        authors: UnsafeBufferPointer<AuthorDraft>, candidates: UnsafeBufferPointer<CandidateDraft>
    ) {
        self.bytes = bytes
        self.firstRow = firstRow
        self.drafts = drafts
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

    /// The id of the new work, edition and entry of a record.
    @inline(__always)
    func row(of draft: Int) -> Int64 { firstRow + Int64(draft) }

    /// The text as a `String`.
    func string(_ text: Text) -> String { String(decoding: bytes(of: text), as: UTF8.self) }

    /// The ISBN that the edition of a draft is known by.
    func firstISBN(of draft: ResultDraft) -> Int64? { draft.isbns.first.map { isbns[$0] } }
}

extension ResultBatch {
    /// Lends the batch to `body`.
    ///
    /// - Parameter firstRow: What the new rows of the first record are known by.
    func lend<Result>(firstRow: Int64, _ body: (ResultBatchView) -> Result) -> Result {
        arena.withAllBytes { bytes in
            drafts.withUnsafeBufferPointer { drafts in
                columns.withUnsafeBufferPointer { columns in
                    isbns.withUnsafeBufferPointer { isbns in
                        authors.withUnsafeBufferPointer { authors in
                            candidates.withUnsafeBufferPointer { candidates in
                                body(
                                    ResultBatchView(
                                        bytes: bytes, firstRow: firstRow, drafts: drafts, columns: columns,
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
