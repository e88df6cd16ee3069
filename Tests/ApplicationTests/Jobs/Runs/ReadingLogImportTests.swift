import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// Reading logs with only Open Library keys.
@Suite struct ReadingLogImportTests {
    /// A work of the sample catalog with its edition, one without a known edition, and an unknown one.
    private static let log = """
        Work Id,Edition Id,Bookshelf
        OL59800W,OL99000002M,Already Read
        OL27258W,,Want to Read
        OL999999999W,OL999999998M,Currently Reading
        OL999999997W,,Already Read

        """

    private func sample() async throws -> SampleImport {
        var sample = try await SampleImport()
        sample.files = [try sample.folder.write(Self.log, to: "log.csv")]
        return sample
    }

    /// Keys and titles of the works of a store, sorted by key.
    private func works(_ sample: SampleImport) throws -> [String] {
        let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        let read = try connection.prepare("SELECT key, coalesce(title, '') FROM works ORDER BY key")
        var works: [String] = []
        while try read.next() { works.append("\(read.string(0)) \(read.string(1))") }
        #expect(try StoreCheck(connection).problems().isEmpty)
        return works
    }

    @Test func `records are looked up by their keys, and unknown ones are stored by key`() async throws {
        let sample = try await sample()
        let outcome = try await sample.run("s.sqlite")
        #expect(outcome.job.counts.booksCreated == 4)
        #expect(outcome.job.counts.rejected == 0)
        #expect(outcome.job.counts.enrichmentSucceeded == 2)
        #expect(
            try works(sample) == [
                "ol:OL27258W Neuromancer", "ol:OL59800W The Left Hand of Darkness", "ol:OL999999997W ",
                "ol:OL999999999W ",
            ])
        let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        let isbn = "SELECT isbn FROM editions e JOIN works w ON w.id = e.work WHERE w.key = 'ol:OL59800W'"
        let found = try connection.integer(isbn)
        #expect(found == 9_780_441_007_318)
        let shelf = "SELECT shelf FROM entries WHERE source_id = 'OL27258W'"
        #expect(try connection.string(shelf) == "to-read")
    }

    @Test func `a log is imported without a catalog and completed with one later`() async throws {
        let sample = try await sample()
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.catalogPaths = []
        let bare = try await ImportJob(request, clock: ManualClock()).run()
        #expect(bare.job.counts.booksCreated == 4)
        #expect(try works(sample).count == 4, "books without a title are separate books")

        request.freshName = "again"
        let again = try await ImportJob(request, clock: ManualClock()).run()
        #expect(again.job.counts.duplicatesSkipped == 4)

        let known = try await sample.run("s.sqlite")
        #expect(known.job.counts.booksUpdated == 2)
        #expect(known.job.counts.duplicatesSkipped == 2)
        #expect(try works(sample).contains("ol:OL27258W Neuromancer"))
        #expect(try works(sample).count == 4)
    }
}
