import Queries

/// The libraries of a store, for those who see several.
struct LibraryChoice {
    var libraries: [(name: String, count: Int)] = []
    /// The one that is shown; nil for all.
    var current: String?

    /// Whether there is something to choose.
    var isOpen: Bool { libraries.count > 1 }
    /// The library that is meant: the chosen one, or the only one.
    var only: String? { current ?? (libraries.count == 1 ? libraries.first?.name : nil) }

    /// Whether the store has the library that was asked for.
    var isKnown: Bool { current == nil || libraries.contains { $0.name == current } }

    /// Writes a link to each library, if there are several.
    ///
    /// - Parameter path: The address of the page for a library; nil for all.
    func write(to path: (String?) -> String, _ html: inout HTML) {
        guard isOpen else { return }
        html.tag("nav", ["aria-label": "Libraries", "class": "libraries"]) { html in
            let all = (name: nil as String?, count: libraries.reduce(0) { $0 + $1.count })
            for (name, count) in [all] + libraries.map({ ($0.name, $0.count) }) {
                html.tag(
                    "a", ["href": path(name), "aria-current": name == current ? "page" : nil],
                    "\(name ?? "All") (\(PageText.grouped(count)))")
            }
        }
    }
}
