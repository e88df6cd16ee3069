import Books
import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Database
@testable import Formats
@testable import Jobs
@testable import Queries
@testable import Store
@testable import Syntax

/// Twenty thousand reviews are listed, decided and applied without being held in memory at once.
@Suite struct LongReviewTests {
    private static let count = 20_000

    private let folder: TemporaryFolder
    private var store: String { folder.file("store.sqlite") }

    init() async throws {
        folder = try TemporaryFolder()
        let library = try folder.write("Title,Author\nDune,Frank Herbert\n", to: "library.csv")
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml")
        let request = ImportRequest(
            reading: ReadSettings(files: [library]), storePath: store, freshName: "job",
            definition: definition)
        _ = try await ImportJob(request, clock: ManualClock()).run()
        // As left by an import of a file without ISBNs and with many editions of classics.
        let options = ["OL1W", "OL2W"].map { record in
            #"{"provider":"openlibrary","record":"\#(record)","title":"It","authors":["A"],"score":1,"evidence":[]}"#
        }
        try StoreFile.openForWriting(store).execute(
            """
            WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n <= \(Self.count))
            INSERT INTO reviews(job, file, row, title, author, options)
            SELECT (SELECT id FROM jobs), 0, n, 'Title ' || n, 'Author', '[\(options.joined(separator: ","))]'
            FROM numbers
            """)
    }

    private func list(_ part: ReviewList.Part = .waiting) throws -> ReviewList {
        try ReviewList(StoreFile.openForReading(store), of: "job", listing: part)
    }

    @Test func `a long list is written in pieces and read back with decisions`() throws {
        for format in [ReviewList.Format.csv(guardsFormulas: false), .json] {
            var (pieces, longest, bytes) = (0, 0, [UInt8]())
            let counts = try list().write(as: format) { (piece) throws(ETLError) in
                pieces += 1
                longest = max(longest, piece.count)
                bytes.append(contentsOf: piece)
            }
            #expect(counts.listed == Self.count && counts.open == Self.count)
            #expect(pieces > 10)
            #expect(longest < 2 * JSONWriter.pieceBytes)
            guard format != .json else {
                let parsed = try JSONSerialization.jsonObject(with: Data(bytes)) as? [Any]
                #expect(parsed?.count == Self.count)
                continue
            }
            // The second option of every other record is chosen.
            var number = 0
            let filled = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
                number += 1
                return number % 4 == 3 ? "\(line)accept" : String(line)
            }
            let path = try folder.write(filled.joined(separator: "\n") + "\n", to: "review.csv")
            let decided = try ReviewFile(path, ofJob: "j").decisions(about: list(.all))
            #expect(decided.count == Self.count / 2)
            #expect(decided.map(\.place.row) == stride(from: 2, through: Self.count, by: 2).map { $0 })
            #expect(Set(decided.map(\.decision)).count == 1)
        }
    }

    @Test func `rolling back a job forgets its open reviews, however many there are`() throws {
        let review = try #require(try list().reviews.first { $0.place.row == 5_000 })
        try Reviews.keep([ReviewDecision(review, .refused)], ofJob: list().job.id, in: store, now: 1)
        try Reviews(StoreFile.openForWriting(store)).forgetOpen(ofJob: list().job.id)
        #expect(try list(.all).reviews.map(\.place.row) == [5_000])
    }
}
