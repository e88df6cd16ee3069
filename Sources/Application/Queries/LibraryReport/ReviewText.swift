import Bytes
import Syntax

/// A text as users write it on other services, as HTML of this page.
///
/// Emphasis, quotations, lists and line breaks stay, spoilers are folded, and of all other markup only the text is left.
/// Nothing that the text says gets into the page as markup of its own.
package struct ReviewText {
    private enum Element {
        case strong, em, del, blockquote, spoiler, paragraph, item, line

        /// The page's element that holds it; nil for what only begins a line.
        var name: StaticString? {
            switch self {
            case .strong: "strong"
            case .em: "em"
            case .del: "del"
            case .blockquote: "blockquote"
            case .spoiler: "details"
            case .paragraph, .item, .line: nil
            }
        }

        init?(tag: String) {
            switch tag {
            case "b", "strong": self = .strong
            case "i", "em", "cite": self = .em
            case "s", "strike", "del": self = .del
            case "blockquote": self = .blockquote
            case "spoiler": self = .spoiler
            case "p", "div": self = .paragraph
            case "li": self = .item
            case "br", "hr": self = .line
            default: return nil
            }
        }
    }

    private let text: String

    /// Longest tag, in bytes. What is longer is text with a stray `<`.
    private static let longestTag = 300
    /// Maximum depth of elements; markup within deeper ones is left out.
    private static let deepest = 16

    package init(_ text: String) { self.text = text }

    /// Writes the text.
    package func write(_ html: inout HTML) {
        var open: [Element] = []
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            Self.write(rest[..<start], &html)
            rest = rest[start...]
            guard let tag = Self.tag(rest) else {
                Self.write(rest.prefix(1), &html)
                rest = rest.dropFirst()
                continue
            }
            rest = rest[tag.end...]
            guard let element = tag.element else { continue }
            if tag.closes {
                Self.close(element, &open, &html)
            } else {
                Self.begin(element, &open, &html)
            }
        }
        Self.write(rest, &html)
        while let name = open.popLast()?.name { html.close(name) }
    }

    /// The tag at the beginning of a text; nil if no tag begins there. An unknown tag has no element.
    private static func tag(_ text: Substring.UTF8View) -> (
        element: Element?, closes: Bool, end: String.Index
    )? {
        guard let end = text.prefix(longestTag).firstIndex(of: UInt8(ascii: ">")) else { return nil }
        var inner = text[text.index(after: text.startIndex)..<end]
        let closes = inner.first == UInt8(ascii: "/")
        if closes { inner = inner.dropFirst() }
        let name = inner.prefix { $0.isLetter }
        guard !name.isEmpty || inner.first == UInt8(ascii: "!") else { return nil }
        // `<3` and `a <b, or c> d` are no tags.
        let after = inner.dropFirst(name.count).first
        guard
            after == nil || after == UInt8(ascii: " ") || after == UInt8(ascii: "/") || name.isEmpty
                || after.map(\.isDigit) == true
        else { return nil }
        return (
            Element(tag: String(decoding: name, as: UTF8.self).lowercased()), closes, text.index(after: end)
        )
    }

    private static func begin(_ element: Element, _ open: inout [Element], _ html: inout HTML) {
        guard let name = element.name else {
            html.open("br")
            if element == .item { html.text("• ") }
            return
        }
        guard open.count < deepest, !open.contains(element) else { return }
        open.append(element)
        guard element == .spoiler else { return html.open(name) }
        html.open(name, ["class": "spoiler"])
        html.tag("summary", "Spoiler")
    }

    /// Ends an element, and those that were begun in it.
    private static func close(_ element: Element, _ open: inout [Element], _ html: inout HTML) {
        if element == .paragraph { return html.open("br") }
        guard let place = open.lastIndex(of: element) else { return }
        while open.count > place, let name = open.popLast()?.name { html.close(name) }
    }

    /// Writes text, with its line ends, and with characters for references such as `&amp;`.
    private static func write(_ bytes: Substring.UTF8View, _ html: inout HTML) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            if number > 0 { html.open("br") }
            let plain = HTMLReferences.resolved(line) ?? Array(line)
            html.text(String(decoding: plain.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self))
        }
    }
}
