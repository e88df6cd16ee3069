import Foundation

/// Number of tries of tests that try at random or in very many combinations.
///
/// `make check` sets the environment variable `ETL_FULL_DOSE`. Without it these tests try a part, a different
/// one for each seed or column.
package enum Dose {
    /// Whether everything is tried.
    package static let isFull = ProcessInfo.processInfo.environment["ETL_FULL_DOSE"] != nil

    /// A number of attempts.
    ///
    /// - Parameters:
    ///   - usual: The number without ``isFull``.
    ///   - full: The number with it.
    ///   - variable: An environment variable that replaces both numbers.
    package static func count(_ usual: Int, full: Int, variable: String) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? (isFull ? full : usual)
    }
}
