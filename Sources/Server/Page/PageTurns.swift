import Queries

/// Links to the pages before and after one of a list.
enum PageTurns {
    /// - Parameters:
    ///   - label: What is listed, for those who do not see the list.
    ///   - previous: The path of the page before; nil for the first one.
    ///   - place: Which page this is; nil if that is not known.
    ///   - next: The path of the page after; nil for the last one.
    static func write(
        _ label: String, previous: String?, place: String? = nil, next: String?, _ html: inout HTML
    ) {
        guard previous != nil || next != nil else { return }
        html.tag("nav", ["class": "pages", "aria-label": label]) { html in
            if let previous { turn("Previous", "prev", previous, &html) }
            if let place { html.tag("span", place) }
            if let next { turn("Next", "next", next, &html) }
        }
    }

    private static func turn(_ text: String, _ relation: String, _ path: String, _ html: inout HTML) {
        html.tag("a", ["class": "button quiet", "href": path, "rel": relation], text)
    }
}
