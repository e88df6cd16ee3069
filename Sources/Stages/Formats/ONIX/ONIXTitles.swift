/// The titles of one ONIX product, of which the best is its title.
///
/// A product may have any number of titles of any type (EDItEUR, code list 15). Many publishers give only one
/// without a type, or with type 00 or 05. Taking type 01 alone would leave such products without a title.
struct ONIXTitles {
    /// The best title so far.
    private(set) var best: [UInt8] = []
    /// The title in the original language (type 03), if the product has another title.
    var original: [UInt8] { rank < Self.rankOfOriginal ? translated : [] }

    private var rank = Int.max
    private var translated: [UInt8] = []
    /// The collection's title, which is the product's if it has none, such as a volume of a manga.
    private var collection: [UInt8] = []

    /// Title types from the best to the worst: the distinctive title, untyped, undefined, abbreviated,
    /// expanded, alternative titles, a distributor's title, former and other titles.
    private static let types = [
        "01", "", "00", "05", "13", "11", "12", "14", "10", "07", "06", "08", "02", "04",
    ]
    private static let rankOfOriginal = 10 * types.count

    /// Offers a title element.
    ///
    /// - Parameters:
    ///   - part: The number of a part, such as a volume.
    ///   - level: 01 for the product, 02 for its collection; empty for ONIX 2.1.
    mutating func offer(
        _ title: [UInt8], subtitle: [UInt8] = [], part: [UInt8] = [], level: String = "", type: String
    ) {
        if level == "02" {
            if collection.isEmpty { collection = title }
            return
        }
        guard !title.isEmpty || !part.isEmpty else { return }
        guard !title.isEmpty else {
            // `Dragon Ball` is the collection's title, and the product's own element has only its number.
            guard !collection.isEmpty else { return }
            take(collection + [0x20] + part, rank: 10 * Self.rank(of: type) + 2)
            return
        }
        let title = Self.turned(title)
        let whole = subtitle.isEmpty ? title : title + Array(": ".utf8) + subtitle
        if type == "03", translated.isEmpty { translated = whole }
        take(whole, rank: type == "03" ? Self.rankOfOriginal : 10 * Self.rank(of: type))
    }

    /// Offers a title in its display form, which counts less than its elements.
    mutating func offer(statement: [UInt8], type: String) {
        if !statement.isEmpty { take(Self.turned(statement), rank: 10 * Self.rank(of: type) + 3) }
        // A product that has only its collection's title.
        if !collection.isEmpty { take(collection, rank: 10 * Self.rank(of: type) + 4) }
    }

    /// Offers the title of a set, which counts least.
    mutating func offerSet(_ title: [UInt8]) {
        if !title.isEmpty { take(title, rank: Self.rankOfOriginal + 1) }
    }

    private mutating func take(_ title: [UInt8], rank new: Int) {
        if new < rank { (best, rank) = (title, new) }
    }

    private static func rank(of type: String) -> Int { types.firstIndex(of: type) ?? types.count - 1 }

    /// `Hobbit, The` becomes `The Hobbit`.
    static func turned(_ title: [UInt8]) -> [UInt8] {
        guard let comma = title.lastIndex(of: UInt8(ascii: ",")) else { return title }
        let article = title[(comma + 1)...].drop { $0 == 0x20 }
        let word = String(decoding: article, as: UTF8.self)
        guard comma > 0, article.count < title.count - comma - 1, articles.contains(word.lowercased()) else {
            return title
        }
        return Array(article) + (word.hasSuffix("'") || word.hasSuffix("’") ? [] : [0x20]) + title[..<comma]
    }

    private static let articles: Set = [
        "the", "a", "an", "der", "die", "das", "ein", "eine", "le", "la", "les", "l'", "l’", "un", "une",
        "el", "los",
        "las", "una", "il", "lo", "gli", "i", "o", "os", "as", "um", "uma", "de", "het", "een",
    ]

    /// A title from its elements: the whole, or prefix and rest.
    static func text(_ whole: [UInt8], _ prefix: [UInt8], _ rest: [UInt8]) -> [UInt8] {
        guard whole.isEmpty else { return whole }
        return prefix.isEmpty || rest.isEmpty ? rest : prefix + [0x20] + rest
    }
}
