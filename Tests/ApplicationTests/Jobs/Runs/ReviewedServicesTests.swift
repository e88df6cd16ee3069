import Books
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Formats
@testable import Jobs
@testable import Queries
@testable import Services
@testable import Store
@testable import System

/// A record that neither the catalog nor a service can match.
@Suite struct ReviewedServicesTests {
    /// Open Library offers the same as its dump; Google Books offers a volume without an author.
    private static func answer(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPFailure> {
        let json =
            if request.url.contains("/google-books/") {
                #"{"totalItems":1,"items":[{"id":"g1","volumeInfo":{"title":"Poems","publishedDate":"1970"}}]}"#
            } else if request.url.contains("search.json") {
                #"""
                {"numFound":2,"docs":[
                {"key":"/works/OL2W","title":"Poems","author_name":["Frank Herbert"],"first_publish_year":1970},
                {"key":"/works/OL3W","title":"Poems","author_name":["Frank Herbert"],"first_publish_year":1980}]}
                """#
            } else {
                "{}"
            }
        return .success(
            HTTPResponse(
                status: 200, fields: ["content-type": "application/json"], body: Array(json.utf8)))
    }

    @Test func `the options of all providers form one review, each record once, the best first`() async throws
    {
        let catalog = try await CatalogFixture([
            DumpFixture.author(1, #""name": "Frank Herbert""#),
            DumpFixture.work(2, #""title": "Poems", "first_publish_date": "1970""#, author: 1),
            DumpFixture.work(3, #""title": "Poems", "first_publish_date": "1980""#, author: 1),
        ])
        let folder = try TemporaryFolder()
        let file = try folder.write("Title,Author\nPoems,Frank Herbert\n", to: "library.csv")
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml")
        var settings = ServiceSettings()
        settings.openLibrary = ServiceEndpoint("http://fake.test/openlibrary", isUserConfigured: true)
        settings.googleBooks = ServiceEndpoint("http://fake.test/google-books", isUserConfigured: true)
        settings.firstWaitPolicy = .noTimeout
        let transport = StubTransport { request, _ in Self.answer(request) }
        settings.transport = transport
        var request = ImportRequest(
            reading: ReadSettings(files: [file]), storePath: folder.file("s.sqlite"), freshName: "job",
            definition: definition)
        request.catalogPaths = [catalog.path]
        request.services = { [settings] (_, _, _) throws(ETLError) in settings }
        let outcome = try await ImportJob(request, clock: ManualClock()).run()
        #expect(outcome.end == .completed)
        #expect(outcome.job.pending == 0)
        #expect(transport.requests.count == 2)

        let list = try ReviewList(StoreFile.openForReading(folder.file("s.sqlite")), of: nil)
        let reviews = try list.reviews
        #expect(reviews.map(\.place.row) == [2])
        #expect(
            reviews.first?.options.map { "\($0.provider)/\($0.record)" }
                == ["openlibrary/OL2W", "openlibrary/OL3W", "google-books/g1"])
        let scores = reviews.first?.options.map(\.score) ?? []
        #expect(scores == scores.sorted(by: >))
    }
}
