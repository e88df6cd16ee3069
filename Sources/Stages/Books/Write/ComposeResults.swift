public import Pipeline

/// Makes books ready to be written: computes keys and hashes, encodes lists, packs lineage and candidates.
///
/// All of it depends on the record alone, so it is done here, by as many workers as there are, and not in the sink,
/// which is one.
public struct ComposeResults: Stage {
    private let library: String
    private let numbers: RowNumbers
    private let observe: Observer?

    /// Told of each batch, as soon as it is composed, how many of its records have all answers and how many wait for a
    /// service.
    package typealias Observer = @Sendable (_ settled: Int, _ open: Int) -> Void

    /// - Parameter library: Whose library the entries belong to (contract.md section 5a).
    public init(library: String) {
        self.init(library: library, numbers: RowNumbers())
    }

    /// - Parameters:
    ///   - numbers: What the store has said that rows are to be known by.
    ///   - observe: Told of settled and open records, from the tasks of the run.
    package init(library: String, numbers: RowNumbers, observing observe: Observer? = nil) {
        self.library = library
        self.numbers = numbers
        self.observe = observe
    }

    /// Composes one draft for each book, in their order. Throws nothing.
    public func process(_ batch: consuming Batch<BookBatch>) async throws(StageFailure) -> Batch<ResultBatch>
    {
        let firstRow = numbers.first(of: batch)
        let composer = ResultComposer(library: library, firstRow: firstRow, books: batch.payload)
        var results = composer.compose()
        results.layOutImage()
        if let observe {
            let open = results.drafts.count { !$0.unanswered.isEmpty }
            observe(results.drafts.count - open, open)
        }
        return batch.carrying(results)
    }
}
