import Contract
package import Syntax

/// The description of the server as OpenAPI 3.1, generated from its routes.
package struct OpenAPIDocument: Sendable, JSONWritable {
    private let version: String
    private let base: BasePath
    private let paths: [DocumentedPath]

    /// - Parameter base: Path of the server as its clients spell it.
    package init(version: String, base: BasePath = .root, _ paths: [DocumentedPath]) {
        self.version = version
        self.base = base
        self.paths = paths
    }

    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("openapi", "3.1.0")
            out.field("info") { out in
                out.field("title", "etl")
                out.field("version", version)
                out.field("summary", "Searches and imports of a book library.")
                out.field(
                    "description",
                    "The documentation of the service also has the WebSocket, paths that were removed, and what this server is not configured for."
                )
            }
            out.key("servers")
            out.array([base]) { base, out in out.field("url", base.isRoot ? "/" : base.text) }
            out.field("paths") { out in
                var names: [String] = []
                for path in paths where !names.contains(path.path) { names.append(path.path) }
                for name in names {
                    out.key(name)
                    out.object { out in
                        for path in paths where path.path == name {
                            out.key(path.method.lowercased())
                            path.write(into: &out)
                        }
                    }
                }
            }
            out.field("components", object: writeComponents)
        }
    }

    private func writeComponents(into out: inout JSONWriter) {
        out.field("schemas") { out in
            for (name, schema) in ContractSchemas.all {
                out.key(name)
                schema.write(into: &out)
            }
        }
        out.field("responses") { out in
            let responses: [(StaticString, Bool)] = [("Failure", false), ("FailedPage", true)]
            for (name, isPage) in responses {
                out.field(name) { out in
                    out.field("description", "Failure")
                    out.field("content") { out in
                        out.key("application/json")
                        out.object { $0.field("schema", Schema.reference("Failure")) }
                        guard isPage else { return }
                        out.key("text/html")
                        out.object { $0.field("schema", Schema.string) }
                    }
                }
            }
        }
        out.field("securitySchemes") { out in
            for name in ["jobToken", "serverToken"] {
                out.key(name)
                out.object { out in
                    out.field("type", "http")
                    out.field("scheme", "bearer")
                }
            }
        }
    }
}
