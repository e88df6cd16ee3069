import Services
import System
import Vectors

/// Where vectors come from.
package enum EmbeddingSource: Sendable {
    /// A static model in a file.
    case file(String)
    /// A service.
    case service(EmbeddingEndpoint)
}

/// Computes vectors of texts, with a model in a file or by a service.
struct TextEmbedder: Sendable {
    private enum Work: Sendable {
        case model(StaticModel)
        case client(ServiceClient, EmbeddingEndpoint)
    }

    private let work: Work
    let model: VectorModel

    /// A model in a file.
    init(_ model: StaticModel) {
        work = .model(model)
        self.model = VectorModel(
            name: model.name, revision: model.revision, dimension: model.dimension, source: model.path)
    }

    /// A service, which is asked for a first vector: only its length tells the dimension.
    ///
    /// - Throws: `.temporary` if it does not answer.
    init(_ client: ServiceClient, _ endpoint: EmbeddingEndpoint) async throws(ETLError) {
        let vector = try await Self.ask(client, endpoint, ["book"], deadline: nil)
        work = .client(client, endpoint)
        model = VectorModel(
            name: endpoint.model, revision: "", dimension: vector.count, source: endpoint.address)
    }

    /// A service whose model is known from an earlier run.
    init(_ client: ServiceClient, _ endpoint: EmbeddingEndpoint, _ model: VectorModel) {
        work = .client(client, endpoint)
        self.model = model
    }

    /// Whether it mostly waits for a service.
    var isService: Bool { if case .client = work { true } else { false } }

    /// The vectors of texts, each of length 1, one after the other. A text without a meaning has a vector of zeros.
    ///
    /// - Parameter deadline: When to stop waiting for a service, an instant of the client's clock; nil for never.
    /// - Throws: `.temporary` if a service does not answer, `.unavailable` if it refuses the questions.
    func vectors(of texts: [String], deadline: UInt64? = nil) async throws(ETLError) -> [Float] {
        switch work {
        case .model(let model): return model.vectors(of: texts)
        case .client(let client, let endpoint):
            let vectors = try await Self.ask(client, endpoint, texts, deadline: deadline)
            guard vectors.count == texts.count * model.dimension else {
                throw ETLError(
                    .unavailable,
                    "`\(endpoint.address)` has answered with vectors of another length than before.",
                    advice: "Check that the service has the model \(endpoint.model).")
            }
            return vectors
        }
    }

    private static func ask(
        _ client: ServiceClient, _ endpoint: EmbeddingEndpoint, _ texts: [String], deadline: UInt64?
    ) async throws(ETLError) -> [Float] {
        // A client is asked for distinct keys.
        var places: [String: Int] = [:]
        var distinct: [String] = []
        for text in texts where places[text] == nil {
            places[text] = distinct.count
            distinct.append(text)
        }
        let answers = try await client.ask(distinct.map(EmbeddingService.key), deadline: deadline)
        var vectors: [[Float]] = []
        for answer in answers {
            guard let decoded = answer.decoded else { throw failure(endpoint, answer.outcome) }
            var vector = EmbeddingService.vector(decoded)
            UnitVector.normalize(&vector)
            vectors.append(vector)
        }
        return texts.flatMap { places[$0].map { vectors[$0] } ?? [] }
    }

    private static func failure(_ endpoint: EmbeddingEndpoint, _ outcome: LookupOutcome) -> ETLError {
        let why = outcome.name.split(separator: "_").joined(separator: " ")
        return ETLError(
            outcome.mayEndByItself && outcome != .mismatch ? .temporary : .unavailable,
            "`\(endpoint.address)` has not computed vectors with the model \(endpoint.model) (\(why)).",
            advice: "Check that the service runs and has the model, then run the command again.")
    }
}
