import Syntax
import System

/// Writes HTML. Text and attributes that come from data are escaped; only tags and names of attributes are written as
/// they are.
package struct HTML {
    /// Names and values. An attribute whose value is nil is left out.
    package typealias Attributes = KeyValuePairs<StaticString, String?>

    package private(set) var bytes: [UInt8] = []
    private let base: String

    /// - Parameter base: Path that is put in front of each path in a link, a form or a source: `/books`.
    package init(base: String = "") {
        self.base = base
        bytes.reserveCapacity(16 << 10)
    }

    /// Writes text for people.
    package mutating func text(_ text: String) { bytes.append(markup: FileName.shown(text)) }

    /// Writes text that is not escaped. It must come from the program, never from data.
    package mutating func verbatim(_ text: StaticString) { raw(text) }

    /// The same from a resource of the program.
    package mutating func verbatim(resource: [UInt8]) { bytes += resource }

    /// Writes an element with its content.
    package mutating func tag(
        _ name: StaticString, _ attributes: Attributes = [:], _ content: (inout HTML) -> Void
    ) {
        open(name, attributes)
        content(&self)
        close(name)
    }

    /// Writes an element with text.
    package mutating func tag(_ name: StaticString, _ attributes: Attributes, _ text: String) {
        tag(name, attributes) { $0.text(text) }
    }

    /// Writes an element with text and without attributes.
    package mutating func tag(_ name: StaticString, _ text: String) {
        tag(name) { $0.text(text) }
    }

    /// Writes the common head of all pages: the encoding, the width of a phone, dark and light.
    package mutating func pageBasics() {
        open("meta", ["charset": "utf-8"])
        open("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        open("meta", ["name": "color-scheme", "content": "light dark"])
    }

    /// Writes an element that has no content, such as `input`. Of an attribute with an empty value
    /// only the name is written, which means the same.
    package mutating func open(_ name: StaticString, _ attributes: Attributes = [:]) {
        raw("<")
        raw(name)
        for (name, value) in attributes {
            guard let value else { continue }
            raw(" ")
            raw(name)
            guard !value.isEmpty else { continue }
            raw("=\"")
            if !base.isEmpty, value.utf8.first == UInt8(ascii: "/"), Self.isPath(name) {
                bytes.append(markup: base)
            }
            bytes.append(markup: value)
            raw("\"")
        }
        raw(">")
    }

    /// Ends an element that was begun by ``open(_:_:)``.
    package mutating func close(_ name: StaticString) {
        raw("</")
        raw(name)
        raw(">")
    }

    /// Whether the values of an attribute are paths.
    private static func isPath(_ attribute: StaticString) -> Bool {
        ["href", "src", "action", "data-stream"].contains("\(attribute)")
    }

    private mutating func raw(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }
}
