import Queries

/// Books side by side with their covers.
struct CoverList {
    var items: [LibraryBrowser.Item]
    /// Whether a link names the library of its book, for those who see several.
    var namesLibrary: Bool
    /// Images of covers; nil if the server has none.
    var covers: CoverFiles?

    /// - Parameter note: What else is said about a book, such as its number in a series.
    func write(_ html: inout HTML, note: (LibraryBrowser.Item) -> String? = { _ in nil }) {
        html.tag("ul", ["class": "covers"]) { html in
            for item in items {
                html.tag("li") { html in
                    html.tag("a", ["href": item.path(namesLibrary: namesLibrary)]) { html in
                        PageText.cover(item.title, at: covers?.address(of: item.cover), &html)
                        html.tag(
                            "span",
                            [
                                "class": "title", "lang": item.language,
                                "dir": item.language.map { _ in "auto" },
                            ],
                            item.title)
                    }
                    let words = [note(item), item.authors.joined(separator: ", ")].compactMap(\.self)
                    html.tag("span", ["class": "hint"], words.joined(separator: " · "))
                    if let rating = item.rating {
                        html.tag("span", [:]) { EntryPanel.writeStars(rating, &$0) }
                    }
                }
            }
        }
    }
}

extension LibraryBrowser.Item {
    /// The page of the book.
    func path(namesLibrary: Bool) -> String { PageLink.book(key, in: namesLibrary ? library : nil) }
}
