/// An XML document, read from start to end without building a tree.
///
/// Dangerous features of XML are off: no network access, no external subset, no entities declared by the
/// document. A document whose DTD declares an entity or names a file to fetch is refused before any content
/// is passed on. A DTD with element declarations only, such as the ISBN agency's, is accepted. libxml2's own
/// limits on depth and length stay on.
package struct XMLDocument: Sendable {
    /// Maximum length of a document in bytes, 8 MiB.
    package static let longest = 8 << 20

    private let bytes: [UInt8]

    /// A document that is parsed only when its events are requested.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parts of a document: elements by their local names, and the text between them, including whitespace.
    package enum Event: Sendable, Equatable {
        case start(String)
        case text(String)
        case end(String)
    }

    /// Passes every event with its line to `body`, in order. An empty element has a start and an end event.
    package func forEachEvent(
        _ body: (_ event: Event, _ line: Int) throws(XMLFault) -> Void
    ) throws(XMLFault) {
        guard bytes.count <= Self.longest else {
            throw XMLFault("The XML is longer than \(Self.longest >> 20) MiB.", line: 1)
        }
        guard !bytes.isEmpty else { throw XMLFault("The XML is empty.", line: 1) }
        try bytes.withUnsafeBufferPointer { (buffer) throws(XMLFault) in
            let reader = try XMLReader(UnsafeRawBufferPointer(buffer))
            while let node = try reader.next() { try Self.emit(node, of: reader, body) }
        }
    }

    private static func emit(
        _ node: XMLReader.Node, of reader: borrowing XMLReader,
        _ body: (Event, Int) throws(XMLFault) -> Void
    ) throws(XMLFault) {
        switch node {
        case .start:
            if reader.depth == 0 { try reader.checkDTD() }
            let name = reader.localName
            try body(.start(name), reader.line)
            if reader.isEmptyElement { try body(.end(name), reader.line) }
        case .end: try body(.end(reader.localName), reader.line)
        case .text: try body(.text(reader.text), reader.line)
        case .entity:
            throw XMLFault(
                "The XML uses an unsupported entity.", line: reader.line)
        case .other: break
        }
    }
}

/// Why an XML document was refused.
package struct XMLFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence.
    package var message: String
    /// Line in the document, from 1.
    package var line: Int

    /// - Parameter line: Line in the document, from 1.
    package init(_ message: String, line: Int) {
        self.message = message
        self.line = line
    }

    /// The line, then the sentence.
    package var description: String { "Line \(line): \(message)" }
}
