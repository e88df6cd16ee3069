package import Books
package import Pipeline
package import System

/// Makes books ready to be written: computes keys and hashes, encodes lists, packs lineage and candidates.
///
/// All of this depends on the record alone. It is done here by several workers, because there is only one
/// sink.
package struct ComposeResults: Stage {
    private let library: String
    private let numbers: RowNumbers
    private let rejectsUnknown: Bool
    private let observe: Observer?

    /// Called after each batch is composed, with the number of records that have all answers and the number
    /// that wait for a service.
    package typealias Observer = @Sendable (_ settled: Int, _ open: Int) -> Void

    /// - Parameter library: The library of the entries.
    package init(library: String) {
        self.init(library: library, numbers: RowNumbers())
    }

    /// - Parameters:
    ///   - numbers: Provides the row ids of new records.
    ///   - rejectsUnknown: Whether records that no provider knows are rejected.
    ///   - observe: Called with settled and open records, from the tasks of the run.
    package init(
        library: String, numbers: RowNumbers, rejectingUnknown rejectsUnknown: Bool = false,
        observing observe: Observer? = nil
    ) {
        self.rejectsUnknown = rejectsUnknown
        self.library = library
        self.numbers = numbers
        self.observe = observe
    }

    /// Composes one prepared row for each book that is not rejected, in order. Never throws.
    package func process(_ batch: consuming Batch<BookBatch>) async throws(ETLError) -> Batch<ResultBatch> {
        var batch = batch
        let firstRow = numbers.first(of: batch)
        let composer = ResultComposer(
            library: library, firstRow: firstRow, books: batch.payload, rejectingUnknown: rejectsUnknown)
        var (results, rejects) = composer.compose()
        batch.rejects += rejects
        results.layOutImage()
        if let observe {
            let open = results.rows.count { !$0.unanswered.isEmpty }
            observe(results.rows.count - open, open)
        }
        return batch.carrying(results)
    }
}
