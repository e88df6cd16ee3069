/// A language that a setting's texts are written in, such as expressions or merge rules.
///
/// The texts are parsed when a definition is checked, so a stage never refuses them later.
package struct PhraseSyntax: Sendable, Hashable {
    /// Requirement for the texts, to complete "must be …".
    let words: String
    /// Whether there can be several.
    package let isList: Bool
    /// Throws the first mistake.
    let check: @Sendable ([String]) throws(PhraseMistake) -> Void

    /// Languages with the same description are the same.
    package static func == (a: PhraseSyntax, b: PhraseSyntax) -> Bool {
        a.words == b.words && a.isList == b.isList
    }

    /// Hashes the description.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(words)
        hasher.combine(isList)
    }
}

/// A text of a setting that cannot be used, and why.
package struct PhraseMistake: Error, Sendable, Hashable {
    /// The index of the text in its list, from 0.
    package let index: Int
    /// The character of the text at which the mistake is, from 1; nil if it is the whole text.
    package let column: Int?
    /// The problem, in one sentence.
    package let message: String
    /// The remedy, in one sentence; nil if the message says enough.
    package let advice: String?

    /// A mistake in one of the texts.
    package init(at index: Int = 0, column: Int? = nil, _ message: String, advice: String? = nil) {
        self.index = index
        self.column = column
        self.message = message
        self.advice = advice
    }
}
