import Contract
package import Syntax

/// The output of `etl backup --json`.
package struct BackupReport {
    private let path: String
    private let backup: StoreBackup
    private let seconds: Double

    /// - Parameter path: The file, as the user named it.
    package init(_ backup: StoreBackup, path: String, seconds: Double) {
        self.path = path
        self.backup = backup
        self.seconds = seconds
    }
}

extension BackupReport: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("path", path)
        out.field("bytes", backup.bytes)
        out.field("works", backup.counts.works)
        out.field("editions", backup.counts.editions)
        out.field("entries", backup.counts.entries)
        out.field("jobs", backup.counts.jobs)
        out.field("schema", backup.schema)
        out.field("seconds", seconds)
    }
}
