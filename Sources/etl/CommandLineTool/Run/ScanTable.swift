import Contract
import Queries
import Store
import System

/// What a scan has found, as a table or as JSON.
enum ScanTable {
    static func write(
        of job: Job, in store: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        let results: ScanResults
        do throws(ETLError) {
            results = try ScannedBooks.results(of: job, in: try StoreFile.openForReading(store))
        } catch {
            throw CommandFailure(error)
        }
        if arguments[RunOptions.json] {
            return try console.writeJSON { results.write(into: &$0) }
        }
        let photos = job.options?.scan?.photos ?? []
        let unreadable = photos.reduce(0) { $0 + $1.unreadable }
        if unreadable > 0 {
            console.note("\(HumanText.count(unreadable, "spine")) could not be read.")
        }
        guard !results.books.isEmpty else {
            return console.note("No books were found in \(photos.count == 1 ? "the photo" : "the photos").")
        }
        var table = Table(
            .init("in the photo", wraps: true), .init("sure", .right), .init("found", wraps: true),
            .init("author", wraps: true), .init("key", isNeverCut: true), .init("", wraps: true))
        let least = job.options?.scan?.leastConfidence ?? ScanNote.usualConfidence
        for book in results.books {
            let isFound = book.enrichment.status == .success
            let printed = book.author.isEmpty ? book.title : "\(book.title) (\(book.author))"
            let found =
                switch book.enrichment.status {
                case .success: book.enrichment.work?.title ?? ""
                case .notFound: "not found"
                case .error: "not answered yet"
                }
            let remarks = [
                isFound && book.confidence >= least ? "" : "review", book.isDuplicate ? "already there" : "",
            ]
            table.add(
                printed, "\(Int((book.confidence * 100).rounded())) %", found,
                isFound ? book.enrichment.authors.map(\.name).joined(separator: ", ") : "",
                book.enrichment.work?.id ?? "", remarks.filter { !$0.isEmpty }.joined(separator: ", "))
        }
        try console.write(table)
        let totals = results.totals
        console.note(
            "\(HumanText.count(totals.totalDetected, "book")): \(totals.approved) certain, \(totals.needsReview) to review."
        )
        if !arguments[RunOptions.dryRun] {
            console.note("`etl undo \(job.shortName)` takes the scan back.")
        }
    }
}
