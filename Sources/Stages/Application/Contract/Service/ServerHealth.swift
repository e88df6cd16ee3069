package import Syntax

/// Whether the server works.
package struct ServerHealth: Sendable, Hashable, JSONWritable {
    /// The states of a server.
    package enum Status: String, JSONWritable, Sendable, CaseIterable {
        case ok
        /// It runs, but cannot do its work.
        case unavailable
    }

    package var status: Status
    package var version: String

    package init(status: Status, version: String) {
        self.status = status
        self.version = version
    }

    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("status", status)
            out.field("version", version)
        }
    }
}
