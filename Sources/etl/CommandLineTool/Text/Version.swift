import CBuild

/// The version of the program: the one place that states it. The package, the manual pages and the change log's first
/// heading follow it.
package enum Version {
    package static let current = "0.1.0"

    /// The version with commit and date where the build knows them: `0.1.0 (7a3cb09 2026-11-23)`.
    static var full: String {
        guard let commit = etl_build_commit() else { return current }
        return "\(current) (\(String(cString: commit)))"
    }
}
