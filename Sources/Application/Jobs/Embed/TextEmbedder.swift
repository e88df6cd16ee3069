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
        guard let vector = try await Self.ask(client, endpoint, ["book"], dimension: nil, deadline: nil)[0]
        else {
            throw Self.failure(endpoint, .notFound)
        }
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

    /// The unit vectors of texts. A text without a known token has a vector of zeros; one that a service refuses has none.
    ///
    /// - Parameter deadline: When to stop waiting for a service, an instant of the client's clock; nil for never.
    /// - Throws: `.temporary` if a service does not answer, `.unavailable` if it refuses all texts.
    func vectors(of texts: [String], deadline: UInt64? = nil) async throws(ETLError) -> [[Float]?] {
        switch work {
        case .model(let model):
            let vectors = model.vectors(of: texts)
            return texts.indices.map { Array(vectors[$0 * model.dimension..<($0 + 1) * model.dimension]) }
        case .client(let client, let endpoint):
            return try await Self.ask(
                client, endpoint, texts, dimension: model.dimension, deadline: deadline)
        }
    }

    /// - Parameter dimension: Dimension that the vectors must have; nil for any.
    private static func ask(
        _ client: ServiceClient, _ endpoint: EmbeddingEndpoint, _ texts: [String], dimension: Int?,
        deadline: UInt64?
    ) async throws(ETLError) -> [[Float]?] {
        // A client is asked for distinct keys.
        var places: [String: Int] = [:]
        var distinct: [String] = []
        for text in texts where places[text] == nil {
            places[text] = distinct.count
            distinct.append(text)
        }
        var answers = try await client.ask(distinct.map { EmbeddingService.key($0) }, deadline: deadline)
        try await askAlone(client, distinct, &answers, deadline: deadline)
        let isServed = answers.contains { $0.decoded != nil }
        var vectors: [[Float]?] = []
        for answer in answers {
            guard let decoded = answer.decoded else {
                // A text that the model cannot take must not keep the others from theirs.
                guard answer.outcome == .notFound || answer.outcome == .serverError && isServed else {
                    throw failure(endpoint, answer.outcome)
                }
                vectors.append(nil)
                continue
            }
            var vector = EmbeddingService.vector(decoded)
            guard dimension == nil || vector.count == dimension else {
                throw ETLError(
                    .unavailable,
                    "`\(endpoint.address)` has answered with vectors of another dimension than before.",
                    advice: "Check that the service has the model \(endpoint.model).")
            }
            UnitVector.normalize(&vector)
            vectors.append(vector)
        }
        guard vectors.contains(where: { $0 != nil }) else {
            throw failure(endpoint, .notFound)
        }
        return texts.map { places[$0].flatMap { vectors[$0] } }
    }

    /// Number of texts in a row that fail before the service counts as down.
    private static let mostFailures = 4

    /// Asks again for the texts of failed requests, each alone: some services fail with a whole request because one text is too
    /// long for their model.
    private static func askAlone(
        _ client: ServiceClient, _ texts: [String], _ answers: inout [ServiceAnswer], deadline: UInt64?
    ) async throws(ETLError) {
        guard texts.count > 1 else { return }
        var failures = 0
        for (place, text) in texts.enumerated() where answers[place].outcome == .serverError {
            guard failures < mostFailures,
                let answer = try await client.ask(
                    [EmbeddingService.key(text, isAlone: true)], deadline: deadline
                ).first
            else { return }
            answers[place] = answer
            failures = answer.decoded == nil ? failures + 1 : 0
        }
    }

    private static func failure(_ endpoint: EmbeddingEndpoint, _ outcome: LookupOutcome) -> ETLError {
        let why = outcome.name.split(separator: "_").joined(separator: " ")
        return ETLError(
            outcome.mayEndByItself ? .temporary : .unavailable,
            outcome == .notFound
                ? "`\(endpoint.address)` returned no usable vector from the model \(endpoint.model)."
                : "`\(endpoint.address)` returned no vector from the model \(endpoint.model) (\(why)).",
            advice: "Check that the service runs and has the model, then run the command again.")
    }
}
