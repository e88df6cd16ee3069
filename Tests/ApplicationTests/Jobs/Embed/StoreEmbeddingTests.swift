import FakeServices
import Foundation
import Store
import TestSupport
import Testing

@testable import Contract
@testable import Jobs
@testable import Pipeline
@testable import Queries
@testable import Services
@testable import System
@testable import Vectors

@Suite struct StoreEmbeddingTests {
    private let store: FilledStore

    /// - Throws: If there is no folder for temporary files.
    init() throws { store = try FilledStore() }

    private func model(_ name: String = "tiny") throws -> EmbeddingSource {
        .file(try TinyModel.write(to: store.folder.file(name), named: name))
    }

    private func embed(
        _ source: EmbeddingSource, onlyStale: Bool = false, isDryRun: Bool = false,
        stop: StopSignal = StopSignal(),
        settings: ServiceSettings = ServiceSettings(), reshaping: @escaping @Sendable (Flow) -> Flow = { $0 }
    ) async throws -> EmbeddingProgress {
        try await StoreEmbedding(of: store.path, from: source, settings, stop: stop, reshaping: reshaping)
            .run(
                onlyStale: onlyStale, isDryRun: isDryRun)
    }

    private var vectors: VectorFile? { get throws { try StoreVectors(of: store.path)?.file } }

    private func failure(_ body: () async throws -> Void) async -> ETLError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? ETLError
        }
    }

    @Test func `each work gets a vector once, and a changed work another one`() async throws {
        try await store.importing([TopicLibrary.export()], job: "first")
        let dry = try await embed(try model(), isDryRun: true)
        #expect(dry.works == 10 && dry.new == 10 && dry.dimension == TinyModel.dimension)
        #expect(try vectors == nil, "nothing is written")
        let first = try await embed(try model())
        #expect(first.new == 10 && first.changed == 0 && first.model == "tiny" && first.unwritten == 0)
        let again = try await embed(try model())
        #expect(again.current == 10 && again.computed == 0)
        #expect(try vectors?.rowCount == 10)

        var rows = TopicLibrary.rows
        rows.append("11,Love and a Wedding,Ida Iris,9780000000118,4,2020/01/11,read,1999")
        try await store.importing([TopicLibrary.export(rows)], job: "second")
        let stale = try await embed(try model(), onlyStale: true)
        #expect(stale.computed == 0 && stale.leftOut == 1)
        #expect(try await embed(try model()).new == 1)
    }

    @Test func `another model replaces all vectors, and only when all are computed`() async throws {
        try await store.importing([TopicLibrary.export()], job: "first")
        _ = try await embed(try model())
        let other = EmbeddingSource.file(
            try TinyModel.write(
                to: store.folder.file("other"), named: "other",
                table: TinyModel.table(TinyModel.vectors.map { $0.reversed() })))
        let stop = StopSignal()
        stop.raise()
        let stopped = try await embed(other, stop: stop)
        #expect(stopped.computed == stopped.unwritten)
        #expect(try vectors?.model.name == "tiny")
        #expect(try await embed(other, isDryRun: true).new == 10)
        #expect(try await embed(other).new == 10)
        #expect(try vectors?.model.name == "other" && vectors?.rowCount == 10)
    }

    @Test func `after any failure the next run goes on, and no vector is doubled or lost`() async throws {
        try await store.importing([TopicLibrary.export()], job: "first")
        for number in 0..<3 {
            let failure = await failure {
                _ = try await embed(try model()) { flow in
                    var flow = flow
                    var source = flow.source as? ReadWorkTexts
                    source?.batchLimits = BatchLimits(records: 3)
                    if let source { flow.source = source }
                    flow.stages.append(.init(name: "FailAt", stage: FailAt(batch: number)))
                    flow.window = 1
                    return flow
                }
            }
            #expect(failure?.kind == .inputOutput)
            let rows = try vectors?.items.count ?? 0
            #expect(rows <= 10)
        }
        _ = try await embed(try model())
        let file = try #require(try vectors)
        #expect(file.items.count == 10 && Set((0..<10).map { file.items[$0].item.id }).count == 10)
    }

    @Test func `an update computes what an import has brought, with the model of the vectors`() async throws {
        let update = VectorUpdate(of: store.path, nil, ServiceSettings())
        try await store.importing([TopicLibrary.export()], job: "first")
        #expect(try await update.run() == nil, "a store without vectors gets none")
        _ = try await embed(try model())
        #expect(try await update.run() == nil)
        let rows = TopicLibrary.rows + ["11,Love and a Wedding,Ida Iris,9780000000118,4,2020/01/11,read,1999"]
        try await store.importing([TopicLibrary.export(rows)], job: "second")
        let progress = try #require(try await update.run())
        #expect(progress.new == 1 && progress.current == 10 && progress.model == "tiny")
        #expect(try await update.run() == nil)
        // A run that was stopped has not seen all works.
        try await store.importing(
            [TopicLibrary.export(["12,Robot Kiss,Jo Jade,9780000000125,4,2020/01/12,read,2000"])],
            job: "third")
        let stop = StopSignal()
        stop.raise()
        #expect(try await update.run(stop: stop)?.computed == 0)
        #expect(try await update.run()?.new == 1)
    }

    @Test func `vectors of a library that is removed are removed with it`() async throws {
        try await store.importing([TopicLibrary.export()], job: "first")
        _ = try await embed(try model())
        try await store.importing(
            [TopicLibrary.export(["12,Robot Kiss,Jo Jade,9780000000125,4,2020/01/12,read,2000"])],
            job: "second")
        _ = try await ResultsStore(store.path, clock: SystemClock()).forget("default", as: "removal")
        try StoreVectors.removeGone(of: store.path)
        #expect(try vectors?.items.count == 0)
        try StoreVectors.removeGone(of: store.path)
    }

    @Test func `a text that the service refuses costs its own vector only, and is tried again`() async throws
    {
        let rows = TopicLibrary.rows + ["11,Unembeddable Love,Ida Iris,9780000000118,4,2020/01/11,read,1999"]
        try await store.importing([TopicLibrary.export(rows)], job: "first")
        let fake = try FakeClient()
        defer { fake.server.stop() }
        var settings = ServiceSettings()
        settings.limits = FakeClient.limits
        let source = EmbeddingSource.service(
            EmbeddingEndpoint(url: "\(fake.server.url)/embeddings", model: "m"))
        let first = try await embed(source, settings: settings)
        #expect(first.computed == 10 && first.refused == 1)
        #expect(try vectors?.items.count == 10)
        try await store.importing(
            [TopicLibrary.export(["12,Misshapen Kiss,Jo Jade,9780000000125,4,2020/01/12,read,2000"])],
            job: "second")
        let failure = await failure { _ = try await embed(source, settings: settings) }
        #expect(failure?.message.contains("another dimension") == true)
    }

    @Test func `a text with which the service fails costs its own vector only`() async throws {
        let rows = TopicLibrary.rows + ["11,Endless Love,Ida Iris,9780000000118,4,2020/01/11,read,1999"]
        try await store.importing([TopicLibrary.export(rows)], job: "first")
        let fake = try FakeClient()
        defer { fake.server.stop() }
        var settings = ServiceSettings()
        settings.limits = FakeClient.limits
        settings.retry = RetryPolicy(attempts: 2, base: 1_000_000)
        let source = EmbeddingSource.service(
            EmbeddingEndpoint(url: "\(fake.server.url)/embeddings", model: "m"))
        let first = try await embed(source, settings: settings)
        #expect(first.computed == 10 && first.refused == 1)
        #expect(try vectors?.items.count == 10)
        // Alone it is like a service that is down: nothing tells the two apart.
        let failure = await failure { _ = try await embed(source, settings: settings) }
        #expect(failure?.kind == .temporary && failure?.message.contains("server error") == true)
        #expect(try vectors?.items.count == 10)
    }

    @Test func `only changed works of another model are no vectors at all`() async throws {
        try await store.importing([TopicLibrary.export()], job: "first")
        _ = try await embed(try model())
        let other = EmbeddingSource.file(
            try TinyModel.write(
                to: store.folder.file("other"), named: "other",
                table: TinyModel.table(TinyModel.vectors.map { $0.reversed() })))
        let failure = await failure { _ = try await embed(other, onlyStale: true) }
        #expect(failure?.kind == .usage && failure?.message.contains("no vectors of this model") == true)
        #expect(try vectors?.items.count == 10 && vectors?.model.name == "tiny")
    }

    @Test func `a text without a known word gets no neighbors, and is not computed again`() async throws {
        let rows = TopicLibrary.rows + ["11,龍,,9780000000118,4,2020/01/11,read,"]
        try await store.importing([TopicLibrary.export(rows)], job: "first")
        #expect(try await embed(try model()).new == 11)
        #expect(try await embed(try model()).current == 11)
        let embedder = QueryEmbedder(store.path, nil, ServiceSettings())
        let query = try await embedder.vector(of: "龍")
        let found = try await BookSearch(store: store.path, catalogs: []).find(.meaning("龍", query))
        #expect(found.map(\.work.title) == ["龍"], "by its word")
    }

    @Test func `an update never replaces the vectors of another model`() async throws {
        try await store.importing([TopicLibrary.export()], job: "first")
        _ = try await embed(try model())
        try await store.importing(
            [TopicLibrary.export(["12,Robot Kiss,Jo Jade,9780000000125,4,2020/01/12,read,2000"])],
            job: "second")
        try TinyModel.write(
            to: store.folder.file("tiny"), table: TinyModel.table(TinyModel.vectors.map { $0.reversed() }))
        let failure = await failure {
            _ = try await VectorUpdate(of: store.path, nil, ServiceSettings()).run()
        }
        #expect(failure?.kind == .configuration && failure?.message.contains("tiny.safetensors") == true)
        #expect(try vectors?.items.count == 10)
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let endpoint = EmbeddingEndpoint(url: "\(fake.server.url)/embeddings", model: "m")
        var settings = ServiceSettings()
        settings.limits = FakeClient.limits
        _ = try await embed(.service(endpoint), settings: settings)
        try await store.importing(
            [TopicLibrary.export(["13,Sea of Love,Ka Kite,9780000000132,4,2020/01/13,read,2001"])],
            job: "third")
        let unset = await self.failure {
            _ = try await VectorUpdate(of: store.path, nil, settings).run()
        }
        #expect(unset?.kind == .configuration && unset?.message.contains("not configured") == true)
        #expect(try await VectorUpdate(of: store.path, endpoint, settings).run()?.new == 1)
    }

    @Test func `a service computes the same for the same words, and is not asked twice`() async throws {
        try await store.importing([TopicLibrary.export()], job: "first")
        let fake = try FakeClient()
        defer { fake.server.stop() }
        var settings = ServiceSettings()
        settings.limits = FakeClient.limits
        let source = EmbeddingSource.service(
            EmbeddingEndpoint(url: "\(fake.server.url)/embeddings", model: "m", key: "CANARY"))
        let first = try await embed(source, settings: settings)
        #expect(first.new == 10 && first.dimension == 64 && first.model == "m")
        let requests = fake.server.requests.count
        #expect(try await embed(source, isDryRun: true, settings: settings).current == 10)
        #expect(fake.server.requests.count == requests)
        #expect(try await embed(source, settings: settings).current == 10)
        let embedder = QueryEmbedder(
            store.path, EmbeddingEndpoint(url: "\(fake.server.url)/embeddings/v1/embeddings/", model: "m"),
            settings)
        let query = try await embedder.vector(of: "Space Robot")
        let search = BookSearch(store: store.path, catalogs: [])
        #expect(try await search.find(.meaning("Space Robot", query)).first?.work.title == "Space Robot")
    }

    @Test func `a service that is down, refuses or does not know the model ends the run in one sentence`()
        async throws
    {
        try await store.importing([TopicLibrary.export()], job: "first")
        var settings = ServiceSettings()
        settings.limits = FakeClient.limits
        settings.retry = RetryPolicy(attempts: 2, base: 1_000_000)
        let closed = await failure {
            _ = try await embed(
                .service(EmbeddingEndpoint(url: "http://127.0.0.1:1", key: "CANARY")), settings: settings)
        }
        #expect(closed?.kind == .temporary && closed?.message.contains("bge-m3") == true)
        #expect(closed?.message.contains("CANARY") == false)
        let fake = try FakeClient()
        defer { fake.server.stop() }
        let unknown = await failure {
            _ = try await embed(
                .service(EmbeddingEndpoint(url: "\(fake.server.url)/embeddings", model: "unknown")),
                settings: settings)
        }
        #expect(unknown != nil)
        #expect(try vectors == nil)
    }

    @Test func `without a store, or with a model that is none, nothing is written`() async throws {
        let missing = await failure { _ = try await embed(try model()) }
        #expect(missing?.kind == .missing)
        try await store.importing([TopicLibrary.export()], job: "first")
        let wrong = await failure { _ = try await embed(.file(store.path)) }
        #expect(wrong?.kind == .unusableInput)
        #expect(try vectors == nil)
    }
}

/// Fails at a batch, as a full disk would.
private struct FailAt: Stage {
    let batch: Int

    func process(_ batch: consuming Batch<WorkTextBatch>) async throws(ETLError) -> Batch<WorkTextBatch> {
        if batch.sequence == self.batch { throw ETLError(.inputOutput, "The disk is full.") }
        return batch
    }
}
