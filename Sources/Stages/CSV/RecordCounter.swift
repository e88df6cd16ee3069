package import Pipeline

/// Counts the records of a file without keeping any: the quick look before a run.
package enum RecordCounter {
    /// Records that are not blank, header and records over a limit included, counted as ``RecordReader`` would.
    package static func count(
        file path: String, dialect: Dialect, encoding: TextEncoding, limits: RecordLimits = .standard
    ) throws(StageFailure) -> Int {
        0
    }
}
