import Books
package import Queries
import Services
package import System
import Vectors

/// Makes vectors of questions, with the model of a store's vectors.
///
/// A model in a file is loaded at the first question and kept. A service is asked, and must answer within two seconds.
package actor QueryEmbedder {
    /// The wait for a service, in nanoseconds.
    private static let timeout: UInt64 = 2_000_000_000

    private let store: String
    private let endpoint: EmbeddingEndpoint?
    private let settings: ServiceSettings
    private let clock: any RunClock
    private let stop: StopSignal
    private var model: StaticModel?
    private var client: ServiceClient?

    /// - Parameters:
    ///   - store: The path of the store.
    ///   - endpoint: The service that computed the vectors; nil if none is configured.
    ///   - settings: Identification of the user, and storage of rate limits.
    package init(
        _ store: String, _ endpoint: EmbeddingEndpoint?, _ settings: ServiceSettings,
        clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal()
    ) {
        self.store = store
        self.endpoint = endpoint
        self.settings = settings
        self.clock = clock
        self.stop = stop
    }

    /// Whether a store has vectors.
    package static func hasVectors(_ store: String) -> Bool { ((try? StoreVectors(of: store)) ?? nil) != nil }

    /// The vector of a question.
    ///
    /// - Throws: `.missing` if the store has no vectors, `.configuration` if their model cannot be used any more, `.temporary` if
    ///   its service does not answer in time.
    package func vector(of text: String) async throws(ETLError) -> QueryVector {
        guard let model = try StoreVectors(of: store)?.file.model else { throw StoreVectors.missing }
        let numbers: [Float]
        if model.revision.isEmpty {
            numbers = try await embedder(for: model).vectors(
                of: [text], deadline: clock.nanoseconds() + Self.timeout)
        } else {
            numbers = try staticModel(for: model).vectors(of: [text])
        }
        return QueryVector(model: model, numbers: numbers)
    }

    private func staticModel(for model: VectorModel) throws(ETLError) -> StaticModel {
        if let known = self.model, known.revision == model.revision { return known }
        let loaded = try StaticModel(model.source)
        guard loaded.revision == model.revision else {
            throw ETLError(
                .configuration,
                "`\(model.source)` is not the model any more that the store's vectors were computed with.",
                advice: "\(UserCommand.embed) computes them again.")
        }
        self.model = loaded
        return loaded
    }

    private func embedder(for model: VectorModel) throws(ETLError) -> TextEmbedder {
        guard let endpoint, endpoint.model == model.name else {
            throw ETLError(
                .configuration,
                "The store's vectors were computed by the service `\(model.source)` with the model \(model.name), which is not configured.",
                advice: "Set ETL_EMBEDDINGS_URL and ETL_EMBEDDINGS_MODEL as for \(UserCommand.embed).")
        }
        if let client { return TextEmbedder(client, endpoint, model) }
        let opened = try EmbeddingClient.open(endpoint, settings, clock: clock, stop: stop)
        client = opened
        return TextEmbedder(opened, endpoint, model)
    }

    /// Ends the requests.
    package func close() async { try? await client?.close() }
}
