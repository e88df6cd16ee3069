import Books
package import Contract
package import Database
import Formats
package import Store
package import System

/// The books that a model has read from photos, as the scan view shows them.
package enum ScannedBooks {
    /// A book, and the photo that shows it.
    package struct Book: Sendable {
        package var detected: DetectedBook
        /// Number of the photo in its scan, from 1.
        package var photo: Int
        /// The book's public key.
        package var key: String
        /// Whether its owner should look at it, because it was not found or the model is not sure.
        package var needsReview: Bool
    }

    /// The results of a scan: a photo shows at most some hundred books.
    package static func results(of job: Job, in connection: Connection) throws(ETLError) -> ScanResults {
        let found = try books(of: job, in: connection)
        let (books, needsReview) = (found.map(\.detected), found.count(where: \.needsReview))
        return ScanResults(
            totals: ScanTotals(
                totalDetected: books.count, approved: books.count - needsReview, needsReview: needsReview),
            books: books, modelUsed: job.options?.scan?.model ?? "",
            processingTime: (job.options?.scan?.duration ?? 0) + job.busyMilliseconds,
            timestamp: job.endedAt ?? job.updatedAt)
    }

    /// The books of a scan in the order of its photos.
    package static func books(of job: Job, in connection: Connection) throws(ETLError) -> [Book] {
        let least = job.options?.scan?.leastConfidence ?? ScanNote.usualConfidence
        var detected: [Book] = []
        let cells = try EntryCells(connection)
        let earlier = try connection.query(
            """
            SELECT 1 FROM entries e JOIN editions d ON d.id = e.edition JOIN editions x ON x.work = d.work
            JOIN entries o ON o.edition = x.id
            WHERE e.id = ?1 AND o.library = e.library AND o.id < e.id LIMIT 1
            """)
        var books = try JobBooks(job, in: connection)
        while let book = try books.next() {
            guard let record = books.record,
                let cells = try cells.cells(of: record.entry).map({ DetectionCells($0) })
            else { continue }
            var found = self.detected(book, record, cells)
            earlier.bind(1, record.entry)
            let hasEarlier = try earlier.next()
            earlier.reset()
            found.isDuplicate = hasEarlier || [.updated, .duplicate].contains(record.outcome)
            // Rather one too many for its owner to look at than a wrong book.
            let needsReview = !record.isEnriched || found.confidence < least
            detected.append(
                Book(
                    detected: found, photo: cells[.photo].flatMap { Int($0) } ?? 0, key: book.work.id,
                    needsReview: needsReview))
        }
        return detected
    }

    private static func detected(
        _ book: StoredBook, _ record: NumberedOutcome, _ cells: DetectionCells
    ) -> DetectedBook {
        let isFound = record.isEnriched
        var work = book.work
        work.originalImagePath = cells[.photoName]
        work.boundingBox = cells.box
        if cells[.model]?.hasPrefix("gemini") ?? false, !work.contributors.contains(.gemini) {
            work.contributors.append(.gemini)
        }
        let isbn = cells[.isbn] ?? ""
        return DetectedBook(
            title: cells[.title] ?? "", author: cells[.author] ?? "",
            isbn: isbn.isEmpty && isFound ? book.edition.isbn13s.first ?? "" : isbn,
            confidence: cells.confidence, boundingBox: cells.box,
            enrichment: isFound
                ? .init(.success, work: work, editions: [book.edition], authors: book.authors)
                : .init(record.outcome == .pending ? .error : .notFound, work: work))
    }
}

/// What a model said about a book, from the cells that its entry keeps.
struct DetectionCells {
    private let cells: EntryCells.Cells

    init(_ cells: EntryCells.Cells) { self.cells = cells }

    subscript(column: PhotoScan.Column) -> String? {
        guard cells.formatName == PhotoScan.formatName,
            let place = cells.names.firstIndex(of: column.rawValue), place < cells.cells.count
        else { return nil }
        return cells.cells[place]
    }

    /// The cells as the origin of the entry.
    var source: Explanation.PhotoSource {
        Explanation.PhotoSource(
            name: self[.photoName] ?? "", model: self[.model] ?? "", title: self[.title] ?? "",
            author: self[.author] ?? "", confidence: confidence)
    }

    /// 0 if the entry is not of a scan.
    var confidence: Double { self[.confidence].flatMap(Double.init).map { min(1, max(0, $0)) } ?? 0 }

    /// Nil if the model named no place.
    var box: BoundingBox? {
        let numbers = (self[.box] ?? "").split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 4, numbers.allSatisfy((0...1).contains) else { return nil }
        return BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
