import Application
package import Database
package import Pipeline

extension Connection {
    /// The canonical dump of the store that is read.
    package func canonicalDump() throws(StageFailure) -> String {
        let collector = ByteCollector()
        try Export(self).write(.all, as: .ndjson) { (piece) throws(StageFailure) in collector.take(piece) }
        return collector.text
    }
}
