/// An XML document, read from front to back without building a tree.
///
/// What makes XML dangerous is off: no network, no external subset, no entity of the document's own. A
/// document whose DTD declares an entity, or names a file to fetch, is refused before any content is handed
/// out; a DTD of element declarations, as the ISBN agency's, passes. libxml2's own limits on depth and length
/// stay on.
public struct XMLDocument: Sendable {
    /// Bytes of a document at the most, 8 MiB.
    public static let longest = 8 << 20

    private let bytes: [UInt8]

    /// A document that is looked at when its events are asked for, and not before.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// What stands in a document: elements by their local names, and text between them, blanks included.
    public enum Event: Sendable, Equatable {
        case start(String)
        case text(String)
        case end(String)
    }

    /// Hands every event with its line to `body`, in order. An empty element starts and ends.
    public func forEachEvent(
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
                "The XML refers to an entity of its own; such files are not read.", line: reader.line)
        case .other: break
        }
    }
}

/// Why an XML document is not read.
public struct XMLFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence.
    public var message: String
    /// Line in the document, from 1.
    public var line: Int

    /// A fault found in a line, from 1.
    public init(_ message: String, line: Int) {
        self.message = message
        self.line = line
    }

    /// The line, then the sentence.
    public var description: String { "Line \(line): \(message)" }
}
