package import Jobs
import Queries
package import System
import Vectors

/// Where vectors come from, by the command line, the environment, the key file and the store.
package struct EmbeddingSetup {
    /// The model in a file, or the service.
    let source: EmbeddingSource
    let settings: ServiceSettings

    /// - Parameters:
    ///   - store: The path of the store, whose vectors name the model that is used without any setting.
    ///   - model: The model of the command line; nil if it names none.
    /// - Throws: `.configuration` if no model is known, or a setting is wrong.
    init(_ store: String, model: String?) throws(ETLError) {
        let endpoint: EmbeddingEndpoint?
        do throws(CommandFailure) {
            let setup = try ServiceSetup()
            settings = try setup.settings(named: [], isOffline: false, required: nil)
            endpoint = try setup.embeddings
        } catch {
            throw ETLError(.configuration, error.message, advice: error.advice)
        }
        if let model {
            source = .file(model)
        } else if let endpoint {
            source = .service(endpoint)
        } else if let known = try StoreVectors(of: store)?.file.model, !known.revision.isEmpty {
            source = .file(known.source)
        } else {
            throw ETLError(
                .configuration, "No model is set that computes vectors.",
                advice:
                    "Name one with --model, or a service with ETL_EMBEDDINGS_URL. docs/similar.md says where to get a model."
            )
        }
    }

    /// What makes vectors of questions, for a process that answers searches.
    package static func questions(_ store: String, stop: StopSignal = StopSignal()) throws(ETLError)
        -> QueryEmbedder
    {
        do throws(CommandFailure) {
            let setup = try ServiceSetup()
            var settings = try setup.settings(named: [], isOffline: false, required: nil)
            // Somebody waits for the answer.
            settings.longestPause = 0
            return QueryEmbedder(store, try setup.embeddings, settings, stop: stop)
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
