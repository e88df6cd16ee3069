extension ResultsStore {
    /// How much memory the store's writer may use.
    package struct Limits: Sendable, Hashable {
        var indexes = LibraryIndexes.Limits()

        package init() {}

        /// Suits the filters to the input's size.
        package mutating func expect(records: Int) { indexes.expectedRecords = records }

        /// - Parameters:
        ///   - recentKeys: Keys held before they are written in a sorted run.
        ///   - usesFilters: Whether an empty store is filled in bulk, most keys known to be new.
        package init(recentKeys: Int, usesFilters: Bool) {
            indexes.recentKeys = recentKeys
            indexes.keysOfRun = min(indexes.keysOfRun, recentKeys)
            indexes.usesFilters = usesFilters
        }
    }
}
