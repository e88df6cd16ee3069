import Books
package import Contract
package import Pipeline
import Queries
import Services
import Store
package import System
package import Vectors

/// Computes the vectors of a store's works: what `etl embed` does, without a terminal.
///
///     ReadWorkTexts ▶ EmbedTexts ▶ WriteVectors
///     works whose text has changed │ a model in a file, or a service │ library.sqlite.vectors
///
/// It runs on the same runtime as imports. The flow is made here and not by a definition, because nothing of it can be
/// arranged otherwise, and the file of vectors is its own checkpoint (decision 0046).
package struct StoreEmbedding: Sendable {
    private let store: String
    private let source: EmbeddingSource
    private let settings: ServiceSettings
    private let clock: any RunClock
    private let stop: StopSignal
    private let reshape: @Sendable (Flow) -> Flow

    /// - Parameters:
    ///   - store: The path of the store.
    ///   - settings: Identification of the user, and storage of rate limits.
    ///   - stop: Ends the run. What was computed is kept.
    ///   - reshaping: Changes the flow before it runs, for tests that interrupt it.
    package init(
        of store: String, from source: EmbeddingSource, _ settings: ServiceSettings,
        clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal(),
        reshaping: @escaping @Sendable (Flow) -> Flow = { $0 }
    ) {
        self.store = store
        self.source = source
        self.settings = settings
        self.clock = clock
        self.stop = stop
        reshape = reshaping
    }

    /// Computes the vectors that are missing, or of which the text has changed, and removes those of works that are gone.
    ///
    /// - Parameters:
    ///   - model: The model that the source must have; nil if another one than before replaces all vectors.
    ///   - onlyStale: Whether works without any vector are left out.
    ///   - isDryRun: Whether works are only counted: nothing is computed, asked or written.
    ///   - observe: Called with the number of works that were looked at and are done, and of all.
    /// - Throws: `.missing` if there is no store, `.unusableInput` if the model cannot be used, `.temporary` if a service does
    ///   not answer or another process computes the vectors.
    package func run(
        with model: VectorModel? = nil, onlyStale: Bool = false, isDryRun: Bool = false,
        observing observe: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(ETLError) -> EmbeddingProgress {
        let connection = try StoreFile.openForReading(store)
        let total = try WorkTexts.count(in: connection)
        // What changes while the works are read is for the next run.
        let stamp = onlyStale ? 0 : try WorkTexts.stamp(of: connection)
        if isDryRun { return try await count(onlyStale: onlyStale) }
        switch source {
        case .file(let path):
            return try await run(TextEmbedder(StaticModel(path)), model, onlyStale, total, stamp, observe)
        case .service(let endpoint):
            // Not stopped with the run: batches in progress are finished, and what they cost is kept.
            let client = try EmbeddingClient.open(endpoint, settings, clock: clock, stop: StopSignal())
            let result: Result<EmbeddingProgress, ETLError>
            do throws(ETLError) {
                let embedder = try await TextEmbedder(client, endpoint)
                result = .success(try await run(embedder, model, onlyStale, total, stamp, observe))
            } catch {
                result = .failure(error)
            }
            try await client.close()
            return try result.get()
        }
    }

    private func run(
        _ embedder: TextEmbedder, _ model: VectorModel?, _ onlyStale: Bool, _ total: Int, _ stamp: UInt64,
        _ observe: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(ETLError) -> EmbeddingProgress {
        if let model, !embedder.model.isComparable(to: model) { throw model.hasChanged }
        if onlyStale {
            guard try StoreVectors(of: store)?.file.model.isComparable(to: embedder.model) ?? false else {
                throw ETLError(
                    .usage, "Only changed works were asked for, but the store has no vectors of this model.",
                    advice: "\(UserCommand.embed) computes those of all works.")
            }
        }
        let storage = try VectorStorage(StoreVectors.path(of: store), embedder.model, stamp)
        let counts = Guarded(EmbeddingProgress())
        let hasReadAll = Guarded(false)
        var source = ReadWorkTexts(
            store: store, known: try await storage.items(), onlyStale: onlyStale, counts: counts, stop: stop,
            hasReadAll: hasReadAll,
            observe: { [counts] looked in
                // Works to compute are done when they are written.
                let waiting = counts.withLock { $0.new + $0.changed }
                if waiting == 0 { observe(looked, total) }
            })
        // A batch is a request. What is in progress is finished after a stop, and lost by a kill.
        if embedder.isService { source.batchLimits = BatchLimits(records: EmbeddingService.batchSize) }
        let flow = Flow(
            sourceName: "ReadWorkTexts", source: source,
            stages: [
                .init(
                    name: "EmbedTexts", stage: EmbedTexts(embedder: embedder, counts: counts),
                    workers: embedder.isService ? Self.requests : ThreadPool.processorCount)
            ],
            sinkName: "WriteVectors", sink: WriteVectors(storage: storage, hasReadAll: hasReadAll),
            window: embedder.isService ? Self.requests * 2 : 16)
        let written = Guarded(0)
        let report = await Runner(reshape(flow), clock: clock).run(stop: stop) { event in
            guard case .committed(_, let records, _) = event else { return }
            let done = written.withLock { count in
                count += records
                return count
            }
            observe(counts.withLock { $0.works - $0.new - $0.changed } + done, total)
        }
        if case .failed(let failure) = report.outcome { throw failure }
        var progress = counts.withLock { $0 }
        (progress.model, progress.dimension) = (embedder.model.name, embedder.model.dimension)
        if report.outcome != .completed {
            progress.unwritten = progress.new + progress.changed - report.recordsCommitted
        }
        return progress
    }

    /// Requests at a time.
    private static let requests = 4

    /// What a run would do.
    private func count(onlyStale: Bool) async throws(ETLError) -> EmbeddingProgress {
        let vectors = try StoreVectors(of: store)
        var (name, dimension, isSame) = ("", 0, false)
        switch source {
        case .file(let path):
            let model = TextEmbedder(try StaticModel(path)).model
            (name, dimension) = (model.name, model.dimension)
            isSame = vectors?.file.model.isComparable(to: model) ?? false
        case .service(let endpoint):
            // The service is not asked, so only the name of its model is known.
            name = endpoint.model
            isSame = vectors.map { $0.file.model.name == name && $0.file.model.revision.isEmpty } ?? false
        }
        let counts = Guarded(EmbeddingProgress())
        let source = ReadWorkTexts(
            store: store, known: isSame ? vectors?.file.items ?? VectorItems() : VectorItems(),
            onlyStale: onlyStale, counts: counts, stop: stop, hasReadAll: Guarded(false),
            observe: { _ in })
        try await source.read(from: .start, into: Emitter { _, _, _, _ in true })
        var progress = counts.withLock { $0 }
        (progress.model, progress.dimension) = (name, dimension)
        return progress
    }
}

/// Opens the client of a service that computes vectors.
enum EmbeddingClient {
    static func open(
        _ endpoint: EmbeddingEndpoint, _ settings: ServiceSettings, clock: any RunClock, stop: StopSignal
    ) throws(ETLError) -> ServiceClient {
        // Vectors are kept in their own file, and not as answers.
        var dependencies = ClientDependencies(
            transport: try ServiceClients.transport(settings),
            limiter: try ServiceClients.limiter(settings).store, clock: clock, stop: stop)
        dependencies.retry = settings.retry
        if let pause = settings.longestPause { dependencies.longestPause = pause }
        var service = EmbeddingService(endpoint)
        if let limits = settings.limits { service.limits = limits }
        return ServiceClient(service, dependencies)
    }
}
