import Books
package import Contract
import Queries
import Services
import Store
package import System
import Vectors

/// Keeps the vectors of a store current, with the model that they were computed with.
///
/// Imports do not pay for it: a command that searches by meaning does it first, and a server after each job. A store without
/// vectors gets none; `etl embed` computes the first ones.
package struct VectorUpdate: Sendable {
    private let store: String
    private let endpoint: EmbeddingEndpoint?
    private let settings: ServiceSettings
    private let clock: any RunClock

    /// - Parameters:
    ///   - store: The path of the store.
    ///   - endpoint: The service that is configured; nil for none.
    ///   - settings: Identification of the user, and storage of rate limits.
    package init(
        of store: String, _ endpoint: EmbeddingEndpoint?, _ settings: ServiceSettings,
        clock: any RunClock = SystemClock()
    ) {
        self.store = store
        self.endpoint = endpoint
        self.settings = settings
        self.clock = clock
    }

    /// Computes the vectors of works that are new or have changed, and removes those of works that are gone.
    ///
    /// - Parameters:
    ///   - stop: Ends the update. What was computed is kept.
    ///   - observe: Called with the number of works that were looked at and are done, and of all.
    /// - Returns: Nil if there is nothing to do: the store has no vectors, or has not changed since they were computed.
    /// - Throws: `.configuration` if their model cannot be used any more, `.temporary` if a service does not answer or another
    ///   process computes them.
    package func run(
        stop: StopSignal = StopSignal(),
        observing observe: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(ETLError) -> EmbeddingProgress? {
        guard let vectors = try StoreVectors(of: store),
            try !vectors.isComplete(for: StoreFile.openForReading(store))
        else { return nil }
        let model = vectors.file.model
        return try await StoreEmbedding(
            of: store, from: EmbeddingSource(of: model, endpoint), settings, clock: clock, stop: stop
        ).run(with: model, observing: observe)
    }
}

extension EmbeddingSource {
    /// Where the vectors of a model come from.
    ///
    /// - Parameter endpoint: The service that is configured; nil for none.
    /// - Throws: `.configuration` if it is a service that is not configured.
    init(of model: VectorModel, _ endpoint: EmbeddingEndpoint?) throws(ETLError) {
        guard model.revision.isEmpty else {
            self = .file(model.source)
            return
        }
        guard let endpoint, endpoint.model == model.name else {
            throw ETLError(
                .configuration,
                "The store's vectors were computed by the service `\(model.source)` with the model \(model.name), which is not configured.",
                advice: "Set ETL_EMBEDDINGS_URL and ETL_EMBEDDINGS_MODEL as for \(UserCommand.embed).")
        }
        self = .service(endpoint)
    }
}

extension VectorModel {
    /// The failure if there is another model now where this one was.
    var hasChanged: ETLError {
        ETLError(
            .configuration,
            "`\(source)` has changed since the store's vectors were computed.",
            advice: "\(UserCommand.embed) computes them again.")
    }
}
