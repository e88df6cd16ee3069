package import Database
package import Formats
package import Pipeline
import Store
package import System

/// The rules that a library applies to its imports: `etl rules set`, `show` and `clear`.
package struct LibraryRules: Sendable {
    private let store: String
    private let library: String

    /// - Parameters:
    ///   - store: The path of a store, which need not exist yet.
    ///   - library: The name of a library, which need not exist yet.
    package init(of library: String, in store: String) {
        self.store = store
        self.library = library
    }

    /// The remembered file; nil for none.
    package func file(
        waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> DefinitionSource.File? {
        guard let connection = try StoreFile.openIfStarted(store, waiting: policy) else { return nil }
        return try RememberedRules(connection).file(of: library)
    }

    /// Remembers rules for later imports.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package func set(
        _ rules: MappingRules, now: Int64, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) {
        try RememberedRules.keep(rules.file, of: library, in: store, now: now, waiting: policy)
    }

    /// Forgets the rules.
    ///
    /// - Returns: The file that was remembered; nil if there was none, and then nothing is written.
    package func clear(
        waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> DefinitionSource.File? {
        guard let file = try file(waiting: policy) else { return nil }
        try RememberedRules.keep(nil, of: library, in: store, now: 0, waiting: policy)
        return file
    }
}

extension ReadSettings {
    /// Takes the rules that a library remembers.
    ///
    /// - Throws: Errors from opening the store, and `configuration` if a newer version has written the rules.
    package mutating func takeRules(
        of library: String, in store: String, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) {
        let file = try LibraryRules(of: library, in: store).file(waiting: policy)
        rules = try file.map { file throws(ETLError) in try MappingRules(file) }
    }
}
