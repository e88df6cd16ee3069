import Books

extension RequestHead {
    /// Maximum number of languages that are used. Each combination has its own cached answers.
    private static let mostLanguages = 3

    /// The languages of `Accept-Language`, ISO 639-1, each once and the preferred one first. Those that have no
    /// two-letter code are left out.
    var languages: [String] {
        guard let field = self["Accept-Language"] else { return [] }
        let items = field.split(separator: ",").prefix(32).map { item in
            let parts = item.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (tag: parts.first ?? "", weight: weight ?? 1)
        }
        let sorted = items.enumerated().filter { $0.element.weight > 0 }.sorted { a, b in
            a.element.weight != b.element.weight
                ? a.element.weight > b.element.weight : a.offset < b.offset
        }
        var languages: [String] = []
        for item in sorted.map(\.element) {
            guard let language = Languages.twoLetters(item.tag), !languages.contains(language) else {
                continue
            }
            languages.append(language)
        }
        return Array(languages.prefix(Self.mostLanguages))
    }
}
