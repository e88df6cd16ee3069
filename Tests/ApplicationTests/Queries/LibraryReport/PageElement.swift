import Testing

/// The elements of an HTML page, as far as a test looks at them. Parsing fails if tags are not nested properly.
final class PageElement {
    let name: String
    let attributes: [String: String]
    private(set) var children: [PageElement] = []
    /// The text of the element and those in it, references replaced.
    private(set) var text = ""

    init(_ name: String, _ attributes: [String: String] = [:]) {
        self.name = name
        self.attributes = attributes
    }

    /// All elements in it with a name, in order.
    func all(_ name: String) -> [PageElement] {
        children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }

    /// The first of its elements for which a condition holds.
    func first(_ name: String, where condition: (PageElement) -> Bool = { _ in true }) -> PageElement? {
        all(name).first(where: condition)
    }

    /// The panel with a heading.
    func panel(_ title: String) -> PageElement? {
        first("article") { $0.first("h3")?.text == title }
    }

    /// The rows of its first table, without the head.
    var rows: [[String]] {
        first("tbody")?.all("tr").map { $0.children.map(\.text) } ?? []
    }

    private static let void: Set = ["meta", "img", "br", "input", "link"]

    /// The root of a document.
    init(document: String) throws {
        name = ""
        attributes = [:]
        var open: [PageElement] = [self]
        var rest = document[...]
        while let start = rest.firstIndex(of: "<") {
            Self.add(Self.resolved(rest[..<start]), to: open)
            let end = try #require(rest[start...].firstIndex(of: ">"))
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("!") { continue }
            if tag.hasPrefix("/") {
                let popped = open.popLast()
                let closed = try #require(popped)
                try #require(closed.name == tag.dropFirst(), "<\(tag)> closes <\(closed.name)>")
                continue
            }
            let name = String(tag.prefix { $0 != " " })
            var attributes: [String: String] = [:]
            for match in tag.dropFirst(name.count).matches(of: /\s([a-zA-Z-]+)(?:="([^"]*)")?/) {
                attributes[String(match.1)] = Self.resolved(match.2 ?? "")
            }
            let element = PageElement(name, attributes)
            try #require(open.last).children.append(element)
            if !Self.void.contains(name) { open.append(element) }
        }
        try #require(open.count == 1, "<\(open.last?.name ?? "")> is not closed")
    }

    private static func add(_ text: String, to open: [PageElement]) {
        for element in open { element.text += text }
    }

    private static func resolved(_ text: Substring) -> String {
        String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}
