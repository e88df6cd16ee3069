import Contract
package import Syntax

/// A token of a server in the output of `etl token --json`.
package struct TokenReport: JSONObject, Sendable, Hashable {
    /// Whether a server accepts it.
    package enum State: String, Sendable { case valid, expired, revoked }

    private let name: String
    private let scopes: [String]
    private let library: String?
    private let state: State
    private let expires: String?
    private let token: String?

    /// - Parameters:
    ///   - library: The library of its imports; nil for any.
    ///   - expires: The last day on which it is valid; nil for no end.
    ///   - token: The token itself, when it was just made.
    package init(
        name: String, scopes: [String], library: String?, state: State, expires: String?, token: String?
    ) {
        self.name = name
        self.scopes = scopes
        self.library = library
        self.state = state
        self.expires = expires
        self.token = token
    }

    /// Writes the fields of the object.
    package func writeFields(into out: inout JSONWriter) {
        out.field("name", name)
        out.key("scopes")
        out.array { out in for scope in scopes { out.string(scope) } }
        out.field("library", library)
        out.field("state", state.rawValue)
        out.field("expires", expires)
        out.field("token", token)
    }
}
