/// What a document says, folded (``Folding``): what is indexed, and what a question is held against.
struct SearchText: Hashable {
    var title = ""
    var subtitle = ""
    /// Names of all authors, parted by blanks.
    var author = ""
    /// Other titles that it goes by as well: those of editions, and those that readers know it by.
    var otherTitles: [String] = []

    /// Title and subtitle as one.
    var wholeTitle: String { subtitle.isEmpty ? title : title.isEmpty ? subtitle : "\(title) \(subtitle)" }
}
