/// What is noted with a job of a catalog that it asks: another one may stand in its place by the time somebody wants to
/// know what a value is from.
package struct CatalogReference: Sendable, Hashable, Codable {
    package var path: String
    /// Under whose name it answers: a ``Provider``'s contract name; nil where that was not noted.
    package var provider: String?
    /// ISO 8601; nil where that was not noted.
    package var builtAt: String?
    /// The dumps it was built from, the updates' after those before them.
    package var dumps: [String]?

    /// All that is known of a catalog that a job of an earlier version was begun with.
    package init(path: String) { self.path = path }

    /// - Parameter path: One that holds from any directory.
    package init(_ description: CatalogDescription, at path: String) {
        self.path = path
        provider = description.provider
        builtAt = description.builtAt
        dumps = description.sources.map(\.name)
    }
}
