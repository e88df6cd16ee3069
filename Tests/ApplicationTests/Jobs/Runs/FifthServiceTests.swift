import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Formats
@testable import Jobs
@testable import Queries
@testable import Services
@testable import Sources
@testable import Store
@testable import System

/// A book service that etl does not have, added like any other: one definition and one entry in the list.
extension ServiceDefinition {
    fileprivate static let bookHive = ServiceDefinition(
        name: "bookhive", title: "BookHive", summary: "BookHive, by ISBN.", address: "http://hive.test",
        access: .requiredKey, role: .books { BookHive(client: $0) }, findsTitles: false,
        make: { BookHiveService(address: $0.address) })
}

private struct BookHive: BookProvider {
    let client: ServiceClient
    var provider: Provider { .gemini }
    var asksNetwork: Bool { true }

    func answer(_ queries: BookQueries) async throws(ETLError) -> BookAnswers {
        try await ServiceQueries(queries, for: provider, asksTitles: false).answers(
            of: client, as: provider)
    }
}

private struct BookHiveService: Service {
    let address: ServiceEndpoint
    var limits = ServiceLimits(rate: .init(perSecond: 100, burst: 10))
    let name = "bookhive"
    let version = 1
    var account: String { address.account }

    func batchSize(of kind: ServiceKey.Kind) -> Int { 1 }

    func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest {
        address.request(
            "/\(texts.joined())", fields: address.key.map { [.init("X-Key", $0, isSecret: true)] } ?? [])
    }

    func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse {
        .answers(texts.map { _ in body.isEmpty ? .notFound : .found(body) })
    }

    func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]? {
        var record = PackedRecordWriter()
        record.append(.title, words)
        record.append(.editionKey, "hive-1")
        return record.bytes
    }
}

@Suite struct FifthServiceTests {
    private static let isbn = "9780441013593"

    private func request(_ folder: TemporaryFolder, _ transport: StubTransport) throws -> ImportRequest {
        let file = try folder.write("Title,Author,ISBN13\n,Frank Herbert,\(Self.isbn)\n", to: "library.csv")
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml")
        var settings = ServiceSettings()
        settings.definitions.append(.bookHive)
        settings.ask("bookhive", at: ServiceEndpoint("http://hive.test", isUserConfigured: true, key: "k"))
        settings.firstWaitPolicy = .noTimeout
        settings.transport = transport
        var request = ImportRequest(
            reading: ReadSettings(files: [file]), storePath: folder.file("s.sqlite"), freshName: "job",
            definition: definition)
        request.services = { [settings] (_, _, _) throws(ETLError) in settings }
        return request
    }

    @Test func `a service is added by one definition and one entry in the list`() async throws {
        let folder = try TemporaryFolder()
        let transport = StubTransport { request, _ in
            .success(HTTPResponse(status: 200, fields: [:], body: Array("Dune".utf8)))
        }
        let outcome = try await ImportJob(request(folder, transport), clock: ManualClock()).run()
        #expect(outcome.end == .completed)
        #expect(transport.requests.map(\.url) == ["http://hive.test/\(Self.isbn)"])
        #expect(transport.requests.first?.fields.contains { $0.name == "X-Key" } == true)
        let explanation = try Explainer(StoreFile.openForReading(folder.file("s.sqlite")))
            .explain(BookReference(Self.isbn))
        #expect(explanation.answers.map(\.provider) == [.gemini])
        #expect(explanation.work?.fields.first { $0.field == .title }?.values == ["Dune"])
    }

    @Test func `a forecast includes it`() async throws {
        let folder = try TemporaryFolder()
        let transport = StubTransport { _, _ in .failure(.unreachable("not asked")) }
        let request = try request(folder, transport)
        let services = try request.services(nil, false, [:])
        let forecast = try await ForecastImport(
            request.reading, catalogPaths: [], services: services, clock: ManualClock()
        ).forecast()
        #expect(forecast.services.map(\.name) == ["bookhive"] && forecast.services.first?.calls == 1...1)
        #expect(transport.requests.isEmpty)
    }

    @Test func `every service has its own name and address`() {
        let services = ServiceDefinition.all
        #expect(Set(services.map(\.name)).count == services.count)
        #expect(Set(services.map(\.address)).count == services.count)
        for service in services { #expect(service.reader.name == service.name) }
    }
}
