/// What a document says, folded (``Folding``): what is indexed, and what a question is held against.
package struct SearchText: Hashable {
    package var title = ""
    package var subtitle = ""
    /// Names of all authors, parted by blanks.
    package var author = ""
    /// Other titles that it goes by as well: those of editions, and those that readers know it by.
    package var otherTitles: [String] = []

    package init(title: String = "", subtitle: String = "", author: String = "", otherTitles: [String] = []) {
        self.title = title
        self.subtitle = subtitle
        self.author = author
        self.otherTitles = otherTitles
    }

    /// Title and subtitle as one.
    package var wholeTitle: String {
        subtitle.isEmpty ? title : title.isEmpty ? subtitle : "\(title) \(subtitle)"
    }
}
