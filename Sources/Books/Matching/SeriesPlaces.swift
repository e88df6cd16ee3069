/// The places of a book in its series. Two records of one book cannot have different ones; the matcher, the store and the
/// search for duplicates compare them alike.
package struct SeriesPlaces: Sendable, Equatable {
    /// The numbers, by the name in the form in which titles are compared.
    private var numbers: [String: String] = [:]

    /// - Parameter series: Names with numbers as spelled; one without a number is left out.
    package init(_ series: [(name: String, number: String?)] = []) {
        for (name, number) in series {
            let name = TitleWords.compared(TitleWords.words(name)).joined()
            guard let number = number.map(Self.bare), !number.isEmpty, !name.isEmpty, numbers[name] == nil
            else {
                continue
            }
            numbers[name] = number
        }
    }

    /// Comparison of two books' places.
    package enum Relation: Sendable {
        /// Nothing contradicts.
        case agree
        /// They are in series of different names. One book can be in two series, but a name that several books have is
        /// not enough then: `Avatar (The Search, #2)`, `Avatar (The Promise, #2)`.
        case otherSeries
        /// They have different places in one series.
        case otherPlace
    }

    package func relation(to other: SeriesPlaces) -> Relation {
        guard !numbers.isEmpty, !other.numbers.isEmpty else { return .agree }
        var isShared = false
        for (name, number) in numbers {
            guard let theirs = other.numbers[name] else { continue }
            guard theirs == number else { return .otherPlace }
            isShared = true
        }
        return isShared ? .agree : .otherSeries
    }

    /// A number without a sign, leading zeros and an empty fraction: `2` for `#02` and `2.0`.
    private static func bare(_ number: String) -> String {
        var text = number.drop { $0 == "#" || $0 == " " }
        while text.count > 1, text.first == "0", text.dropFirst().first?.isNumber == true {
            text.removeFirst()
        }
        if text.hasSuffix(".0") { text.removeLast(2) }
        return String(text)
    }
}
