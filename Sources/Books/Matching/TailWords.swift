/// Meaning of the words behind a title's first part.
struct TailWords {
    let words: [String]

    init(_ words: [String]) { self.words = words }

    private static let ofEditions: Set<String> = [
        "edition", "editions", "classics", "text", "volume", "ausgabe", "auflage", "unabridged", "reprint",
    ]
    private static let ofAnyBook: Set<String> = [
        "a", "an", "the", "novel", "novels", "memoir", "story", "stories", "tale", "thriller", "mystery",
        "roman", "romance", "poems", "of", "in", "parts", "epilogue", "with",
    ]

    /// Whether they describe the edition or fit any book.
    var isIdle: Bool {
        if words.contains(where: Self.ofEditions.contains) { return true }
        // Such as "A Sherlock Holmes Novel".
        if let first = words.first, let last = words.last, ["a", "an", "the"].contains(first),
            ["novel", "mystery", "thriller", "romance"].contains(last)
        {
            return true
        }
        let compared = TitleWords.compared(words)
        return compared.contains(where: Self.ofAnyBook.contains)
            && compared.allSatisfy { Self.ofAnyBook.contains($0) || $0.utf8.count == 1 }
    }

    /// Words that a subtitle can start with, and that titles of volumes rarely do.
    private static let beginnings: Set<String> = [
        "a", "an", "or", "oder", "ou", "being", "how", "why", "what", "from", "my", "our", "inside", "notes",
        "tales", "stories", "essays", "poems", "memoirs", "lessons", "confessions", "eine", "ein", "une",
        "un",
        "una", "being", "including", "with",
    ]
    /// Words that say what a book is about or how it is told.
    private static let topics: Set<String> = [
        "history", "geschichte", "histoire", "historia", "story", "stories", "tale", "tales", "saga", "guide",
        "life", "lives", "leben", "vie", "memoir", "memoirs", "biography", "autobiography", "introduction",
        "account", "study", "journey", "making", "secrets", "truth", "power", "art", "science", "lessons",
        "essays", "handbook", "novel", "roman", "romance", "comedy", "tragedy", "mystery", "adventures",
        "search", "quest", "invention", "origins", "meaning", "psychology", "philosophy", "economics",
        "politics", "culture", "society", "true", "hidden", "remarkable", "extraordinary", "untold",
        "surprising", "einer", "eines",
    ]
    private static let noGerunds: Set<String> = [
        "something", "everything", "anything", "nothing", "evening", "morning", "darling", "ending",
        "beginning",
        "wedding", "reckoning", "awakening", "gathering", "crossing", "lightning",
    ]
    private static let longTail = 6

    /// Whether they read like a subtitle: `A Brief History of Humankind`, and not `The Two Towers`.
    var isDescriptive: Bool {
        guard let first = words.first, words.count > 1 else { return false }
        // Surviving Hollywood, but not The Singing Sword.
        let isGerund = first.utf8.count > 6 && first.hasSuffix("ing") && !Self.noGerunds.contains(first)
        // Twelve Projects for the Garden.
        let isNumbered = words.count > 3 && TitleWords.number(first) != nil
        return isGerund || isNumbered || Self.beginnings.contains(first)
            || words.contains(where: Self.topics.contains)
    }

    /// `The Lion, the Witch and the Wardrobe` is still a title.
    var isLong: Bool { words.count >= (words.first == "the" ? Self.longTail + 1 : Self.longTail) }
}
