import Contract
package import Jobs
import Queries
import Store
package import System
import Vectors

/// Where vectors come from, by the command line, the environment, the key file and the store.
package struct EmbeddingSetup {
    /// The word for the service instead of a model in a file.
    static let service = "service"

    /// The model in a file, or the service.
    let source: EmbeddingSource
    let settings: ServiceSettings

    /// - Parameters:
    ///   - store: The path of the store, whose vectors name the model that is used without any setting.
    ///   - model: The model of the command line; nil if it names none.
    /// - Throws: `.configuration` if no model is known, or a setting is wrong.
    init(_ store: String, model: String?) throws(ETLError) {
        let endpoint: EmbeddingEndpoint?
        (endpoint, settings) = try Self.services()
        // Damaged vectors are computed again.
        let known = (try? StoreVectors(of: store))?.file.model
        if let model, model != Self.service {
            // Later runs may be started in another folder.
            source = .file(StorePath.real(model))
        } else if model == nil, let known, !known.revision.isEmpty {
            source = .file(known.source)
        } else if let endpoint {
            source = .service(endpoint)
        } else {
            throw ETLError(
                .configuration, "No model is set that computes vectors.",
                advice:
                    "Name one with --model, or a service with ETL_EMBEDDINGS_URL. docs/similar.md says where to get a model."
            )
        }
    }

    /// What embeds queries, for a process that answers searches.
    package static func queryEmbedder(_ store: String, stop: StopSignal = StopSignal()) throws(ETLError)
        -> QueryEmbedder
    {
        var (endpoint, settings) = try services()
        // A user is waiting for the answer.
        settings.longestPause = QueryEmbedder.timeout
        return QueryEmbedder(store, endpoint, settings, stop: stop)
    }

    /// What keeps the vectors of a store current.
    package static func update(_ store: String) throws(ETLError) -> VectorUpdate {
        let (endpoint, settings) = try services()
        return VectorUpdate(of: store, endpoint, settings)
    }

    /// Computes the vectors of works that have changed, before they are searched. If that fails, the others are searched.
    static func update(_ store: String, _ console: Console) async {
        do throws(ETLError) {
            let progress = try await update(store).run { done, total in
                console.progress(ProgressState(done: done, total: total))
            }
            if let count = progress?.computed, count > 0 {
                console.note(
                    "Computed \(HumanText.count(count, "vector")) of books that are new or have changed.")
            }
        } catch {
            console.note("Books that are new or have changed are not compared. \(error.message)")
        }
    }

    /// The service that computes vectors, nil for none, and how services are asked.
    private static func services() throws(ETLError) -> (EmbeddingEndpoint?, ServiceSettings) {
        do throws(CommandFailure) {
            let setup = try ServiceSetup()
            return (try setup.embeddings, try setup.settings(named: [], isOffline: false, required: nil))
        } catch {
            throw ETLError(.configuration, error.message, advice: error.advice)
        }
    }
}

extension ServiceSetup {
    /// The names of the variables for a service that computes vectors.
    static let embeddingVariables = ["URL", "MODEL", "KEY"].map { variable("embeddings", $0) }

    /// The service that computes vectors; nil if none is set.
    var embeddings: EmbeddingEndpoint? {
        get throws(CommandFailure) {
            let name = Self.variable("embeddings", "URL")
            guard let url = value(name) else { return nil }
            guard Self.isAddress(url) else {
                throw CommandFailure(
                    .configuration, "Invalid value for \(name): expected an http or https address.")
            }
            return EmbeddingEndpoint(
                url: url,
                model: value(Self.variable("embeddings", "MODEL")) ?? EmbeddingEndpoint.defaultModel,
                key: value(Self.variable("embeddings", "KEY")))
        }
    }
}
