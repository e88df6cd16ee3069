import Bytes

/// Compares words that a person has entered with books that are in no index, such as those that a service has found.
package struct TypedQuery {
    private let title: SearchWords
    private let author: SearchWords

    /// - Parameters:
    ///   - title: Words of the title; empty for any.
    ///   - author: Words of authors' names; empty for any.
    package init(title: String, author: String) {
        self.title = SearchWords(title)
        self.author = SearchWords(author)
    }

    /// How well a book fits, comparable with the score of a search in an index.
    ///
    /// - Returns: Nil if one of the words is neither in its title nor in a name, where it was asked for.
    package func score(title: String, subtitle: String = "", author: String) -> Double? {
        let text = SearchText(
            title: Folding.fold(title), subtitle: Folding.fold(subtitle), author: Folding.fold(author))
        // Persons also enter an author's name among the words of a title.
        let anywhere = self.author.isEmpty ? "\(text.wholeTitle) \(text.author)" : text.wholeTitle
        guard self.title.areAll(in: anywhere), self.author.areAll(in: text.author) else { return nil }
        return Ranking.score(self.title, in: text).score + Ranking.score(self.author, in: text.author)
    }
}
