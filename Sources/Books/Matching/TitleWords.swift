import Bytes

/// A title's words in the form in which titles are compared, and the words with a meaning there.
package enum TitleWords {
    private static let joining = WordTable<Void>(["and", "und", "et"])

    /// Leading words that are often left out of a title.
    package static let articles: [StaticString] = [
        "the", "a", "an", "le", "la", "les", "l", "un", "une", "der", "die", "das", "ein", "eine", "el",
        "los", "las", "il", "lo", "gli", "het", "een",
    ]
    private static let articleTable = WordTable<Void>(articles)

    /// Whether a folded word is an article.
    package static func isArticle(_ word: UnsafeRawBufferPointer) -> Bool { articleTable.contains(word) }

    /// Folded text without its leading article. Text that is only an article is kept.
    package static func withoutArticle(_ folded: String) -> Substring {
        guard let blank = folded.utf8.firstIndex(of: UInt8(ascii: " ")),
            articleTable.contains(String(folded[..<blank]))
        else { return folded[...] }
        return folded[folded.utf8.index(after: blank)...]
    }

    /// Whether a folded word is "and" in one of three languages.
    package static func joins(_ word: UnsafeRawBufferPointer) -> Bool { joining.contains(word) }

    /// The words of a text, folded, without "and" in three languages, as `&` is also dropped.
    package static func words(_ text: some StringProtocol) -> [String] {
        let folded = Folding.fold(text).split(separator: " ").map(String.init)
        guard folded.count > 1, let last = folded.last else { return folded }
        // A title that ends with "and" is cut off.
        return folded.dropLast().filter { !joining.contains($0) } + [last]
    }

    /// The words in the form in which titles are compared (``TitleForm``): numbers as digits (`eighty four`
    /// becomes `84`), American spelling, and no leading article.
    package static func compared(_ words: [String]) -> [String] {
        TitleForm.words(words.joined(separator: " "))
    }

    // MARK: Numbers

    private static let units = WordTable<Int>([
        ("zero", 0), ("one", 1), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("seven", 7),
        ("eight", 8), ("nine", 9), ("ten", 10), ("eleven", 11), ("twelve", 12), ("thirteen", 13),
        ("fourteen", 14), ("fifteen", 15), ("sixteen", 16), ("seventeen", 17), ("eighteen", 18),
        ("nineteen", 19), ("zwei", 2), ("drei", 3), ("vier", 4), ("funf", 5), ("sechs", 6), ("sieben", 7),
        ("acht", 8), ("neun", 9), ("zehn", 10), ("zwolf", 12), ("deux", 2), ("trois", 3), ("quatre", 4),
        ("cinq", 5), ("sept", 7), ("huit", 8), ("dix", 10), ("dos", 2), ("tres", 3), ("cuatro", 4),
        ("cinco", 5), ("siete", 7), ("ocho", 8), ("nueve", 9), ("diez", 10),
    ])
    private static let tens = WordTable<Int>([
        ("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50), ("sixty", 60), ("seventy", 70),
        ("eighty", 80), ("ninety", 90),
    ])
    private static let ordinals = WordTable<Int>([
        ("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5), ("sixth", 6), ("seventh", 7),
        ("erster", 1), ("erstes", 1), ("zweiter", 2), ("zweites", 2), ("dritter", 3), ("drittes", 3),
        ("vierter", 4), ("viertes", 4), ("premier", 1), ("premiere", 1), ("deuxieme", 2), ("troisieme", 3),
    ])
    private static let romans = WordTable<Int>([
        ("i", 1), ("ii", 2), ("iii", 3), ("iv", 4), ("v", 5), ("vi", 6), ("vii", 7), ("viii", 8), ("ix", 9),
        ("x", 10), ("xi", 11), ("xii", 12),
    ])

    /// The number from zero to nineteen that a folded word is.
    package static func unit(_ word: UnsafeRawBufferPointer) -> Int? { units[word] }
    /// `twenty` to `ninety`.
    package static func ten(_ word: UnsafeRawBufferPointer) -> Int? { tens[word] }
    /// The number of a Roman numeral up to XII.
    package static func roman(_ word: UnsafeRawBufferPointer) -> Int? { romans[word] }
    /// The number that an ordinal stands for: 2 for `second`.
    package static func ordinal(_ word: String) -> Int? { ordinals[word] }

    /// The number in a word after "volume", without leading zeros: `2`, `4a`, `II`, `two`.
    package static func number(_ word: String) -> String? {
        if let first = word.utf8.first, first.isDigit, word.utf8.count <= 4 {
            let digits = word.drop { $0 == "0" }
            return digits.first?.isNumber == true ? String(digits) : String(word.suffix(1))
        }
        return (units[word] ?? tens[word] ?? romans[word]).map(String.init)
    }
}
