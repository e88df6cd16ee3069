package import Contract
import Syntax

/// Health of the server.
package struct ServerHealth: Sendable, Hashable {
    /// The states of a server.
    package enum Status: String, Described, Sendable, CaseIterable {
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
}

extension ServerHealth: ContractRecord {
    package static var example: ServerHealth { ServerHealth(status: .ok, version: "") }
    package static var schemaName: String? { "Health" }

    package func fields(into table: inout some FieldTable) {
        table.field("status", status)
        table.field("version", version)
    }
}
