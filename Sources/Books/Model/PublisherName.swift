import Bytes

/// Names of publishers, which sources abbreviate: `Ace Books` is `Ace`.
package enum PublisherName {
    /// A name in the form in which it is compared, without words that sources leave out.
    package static func folded(_ publisher: String) -> String {
        guard !publisher.isEmpty else { return "" }
        let words = Folding.fold(publisher).split(separator: " ")
        let distinctive = words.filter { !common.contains($0) }
        return (distinctive.isEmpty ? words : distinctive).joined(separator: " ")
    }

    /// Whether two folded names can be of one publisher: `penguin` and `penguin classics`.
    package static func agree(_ a: String, _ b: String) -> Bool {
        a == b || a.hasPrefix("\(b) ") || b.hasPrefix("\(a) ")
    }

    private static let common: Set<Substring> = [
        "books", "book", "press", "publishing", "publishers", "publications", "verlag", "editions", "edition",
        "group", "house", "company", "co", "inc", "ltd", "llc", "gmbh", "sons", "the", "and",
    ]
}
