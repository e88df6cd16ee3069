import CXML

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
            let reader = try Reader(UnsafeRawBufferPointer(buffer))
            while try reader.advance() {
                try reader.emit(body)
            }
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

/// libxml2's reader over bytes that outlive it.
private struct Reader: ~Copyable {
    private let pointer: xmlTextReaderPtr

    init(_ bytes: UnsafeRawBufferPointer) throws(XMLFault) {
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let reader = xmlReaderForMemory(start, Int32(bytes.count), nil, nil, Int32(options)) else {
            throw XMLFault("There is no memory left to read XML.", line: 1)
        }
        pointer = reader
    }

    deinit { xmlFreeTextReader(pointer) }

    private var line: Int { max(1, Int(xmlTextReaderGetParserLineNumber(pointer))) }

    /// Goes to the next node; false at the end.
    borrowing func advance() throws(XMLFault) -> Bool {
        switch xmlTextReaderRead(pointer) {
        case 0: return false
        case 1: return true
        default: throw XMLFault("The XML is not well-formed or nests too deeply.", line: line)
        }
    }

    borrowing func emit(
        _ body: (XMLDocument.Event, Int) throws(XMLFault) -> Void
    ) throws(XMLFault) {
        switch UInt32(xmlTextReaderNodeType(pointer)) {
        case UInt32(XML_READER_TYPE_ELEMENT.rawValue):
            // The DTD has been read by the time the first element stands here, and nothing after it.
            if xmlTextReaderDepth(pointer) == 0 { try checkDTD() }
            let name = text(xmlTextReaderConstLocalName(pointer))
            try body(.start(name), line)
            if xmlTextReaderIsEmptyElement(pointer) == 1 { try body(.end(name), line) }
        case UInt32(XML_READER_TYPE_END_ELEMENT.rawValue):
            try body(.end(text(xmlTextReaderConstLocalName(pointer))), line)
        case UInt32(XML_READER_TYPE_TEXT.rawValue), UInt32(XML_READER_TYPE_CDATA.rawValue),
            UInt32(XML_READER_TYPE_WHITESPACE.rawValue),
            UInt32(XML_READER_TYPE_SIGNIFICANT_WHITESPACE.rawValue):
            try body(.text(text(xmlTextReaderConstValue(pointer))), line)
        case UInt32(XML_READER_TYPE_ENTITY_REFERENCE.rawValue):
            throw XMLFault("The XML refers to an entity of its own; such files are not read.", line: line)
        default: break
        }
    }

    private borrowing func checkDTD() throws(XMLFault) {
        guard let subset = xmlTextReaderCurrentDoc(pointer)?.pointee.intSubset?.pointee else { return }
        guard subset.SystemID == nil, subset.ExternalID == nil else {
            throw XMLFault("The XML names a DTD to fetch; such files are not read.", line: line)
        }
        guard subset.entities == nil, subset.pentities == nil else {
            throw XMLFault("The XML declares entities; such files are not read.", line: line)
        }
    }

    private borrowing func text(_ characters: UnsafePointer<xmlChar>?) -> String {
        guard let characters else { return "" }
        return String(cString: characters)
    }
}
