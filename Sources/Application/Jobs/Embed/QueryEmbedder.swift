import Books
package import Queries
import Services
package import System
import Vectors

/// Embeds queries, with the model of a store's vectors.
///
/// A model in a file is loaded at the first query and kept. A service is asked, and must answer within two seconds.
package actor QueryEmbedder {
    /// The wait for a service, in nanoseconds.
    package static let timeout: UInt64 = 2_000_000_000

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

    /// The vector of a query; zeros if the model knows none of its words.
    ///
    /// - Throws: `.missing` if the store has no vectors, `.configuration` if their model cannot be used any more, `.temporary` if
    ///   its service does not answer in time.
    package func vector(of text: String) async throws(ETLError) -> QueryVector {
        guard let model = try StoreVectors(of: store)?.file.model else { throw StoreVectors.missing }
        let numbers: [Float]
        if model.revision.isEmpty {
            numbers =
                try await embedder(for: model).vectors(
                    of: [text], deadline: clock.nanoseconds() + Self.timeout
                )[0] ?? []
        } else {
            numbers = try staticModel(for: model).vectors(of: [text])
        }
        return QueryVector(model: model, numbers: numbers)
    }

    private func staticModel(for model: VectorModel) throws(ETLError) -> StaticModel {
        if let known = self.model, known.revision == model.revision { return known }
        let loaded: StaticModel
        do throws(ETLError) {
            loaded = try StaticModel(model.source)
        } catch {
            // Whatever is wrong with the file, only who runs this program can repair it.
            throw ETLError(.configuration, error.message, advice: error.advice)
        }
        guard loaded.revision == model.revision else { throw model.hasChanged }
        self.model = loaded
        return loaded
    }

    private func embedder(for model: VectorModel) throws(ETLError) -> TextEmbedder {
        guard case .service(let endpoint) = try EmbeddingSource(of: model, endpoint) else {
            throw model.hasChanged
        }
        if let client { return TextEmbedder(client, endpoint, model) }
        let opened = try EmbeddingClient.open(endpoint, settings, clock: clock, stop: stop)
        client = opened
        return TextEmbedder(opened, endpoint, model)
    }

    /// Ends the requests.
    package func close() async { try? await client?.close() }
}
