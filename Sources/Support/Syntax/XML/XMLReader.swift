import CXML
package import System

/// libxml2's reader for one document. It reads a node at a time and builds no tree.
///
/// No network access, no external subset. The bytes must outlive the reader. libxml2's own limits on depth
/// and length stay on.
package struct XMLReader: ~Copyable {
    /// The kind of a node.
    package enum Node {
        /// An element begins. For an empty element there is no ``end``: see ``isEmptyElement``.
        case start
        case end
        /// Text, a CDATA section or whitespace.
        case text
        /// A reference to an undefined entity.
        case entity
        /// A comment, a processing instruction, the document type.
        case other
    }

    private let pointer: xmlTextReaderPtr
    /// The bytes of a document that is read as it is parsed; nil for bytes in memory.
    private let source: XMLSource?

    package init(_ bytes: UnsafeRawBufferPointer) throws(XMLFault) {
        guard let size = Int32(exactly: bytes.count) else {
            throw XMLFault("The XML is longer than 2 GiB.", line: 1)
        }
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let reader = xmlReaderForMemory(start, size, nil, nil, Self.options) else {
            throw XMLFault("There is not enough memory to read XML.", line: 1)
        }
        pointer = reader
        source = nil
    }

    /// A reader of a document that need not be in memory as a whole.
    package init(streaming bytes: any ByteSource) throws(XMLFault) {
        let source = XMLSource(bytes)
        let context = Unmanaged.passUnretained(source).toOpaque()
        let read: xmlInputReadCallback = { context, buffer, count in
            guard let context, let buffer else { return -1 }
            let source = Unmanaged<XMLSource>.fromOpaque(context).takeUnretainedValue()
            return source.read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
        }
        guard let reader = xmlReaderForIO(read, nil, context, nil, nil, Self.options) else {
            throw XMLFault("There is not enough memory to read XML.", line: 1)
        }
        pointer = reader
        self.source = source
    }

    /// Why the bytes of the document could not be read; nil if they could.
    package var sourceFailure: ETLError? { source?.failure }

    /// Whether the node is a document type.
    package var isDocumentType: Bool {
        UInt32(xmlTextReaderNodeType(pointer)) == UInt32(XML_READER_TYPE_DOCUMENT_TYPE.rawValue)
    }

    deinit { xmlFreeTextReader(pointer) }

    private static let options = Int32(
        XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)

    /// Line in the document, from 1.
    package var line: Int { max(1, Int(xmlTextReaderGetParserLineNumber(pointer))) }

    /// Moves to the next node; nil at the end.
    package borrowing func next() throws(XMLFault) -> Node? {
        switch xmlTextReaderRead(pointer) {
        case 0: return nil
        case 1: break
        default: throw XMLFault("The XML is not well-formed or nests too deeply.", line: line)
        }
        switch UInt32(xmlTextReaderNodeType(pointer)) {
        case UInt32(XML_READER_TYPE_ELEMENT.rawValue): return .start
        case UInt32(XML_READER_TYPE_END_ELEMENT.rawValue): return .end
        case UInt32(XML_READER_TYPE_TEXT.rawValue), UInt32(XML_READER_TYPE_CDATA.rawValue),
            UInt32(XML_READER_TYPE_WHITESPACE.rawValue),
            UInt32(XML_READER_TYPE_SIGNIFICANT_WHITESPACE.rawValue):
            return .text
        case UInt32(XML_READER_TYPE_ENTITY_REFERENCE.rawValue): return .entity
        default: return .other
        }
    }

    /// Number of elements around the node.
    var depth: Int { Int(xmlTextReaderDepth(pointer)) }

    /// Whether the element that begins here is empty. It then has no end node.
    package var isEmptyElement: Bool { xmlTextReaderIsEmptyElement(pointer) == 1 }

    /// The element's name without its namespace prefix, even if the prefix was not declared.
    package var localName: String {
        guard let name = xmlTextReaderConstLocalName(pointer) else { return "" }
        let text = String(cString: name)
        return text.lastIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? text
    }

    /// The node's text.
    var text: String {
        guard let value = xmlTextReaderConstValue(pointer) else { return "" }
        return String(cString: value)
    }

    /// Calls `body` with the bytes of the node's text, UTF-8. They are valid during the call only.
    package borrowing func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard let value = xmlTextReaderConstValue(pointer) else {
            return body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return body(UnsafeRawBufferPointer(start: value, count: Int(xmlStrlen(value))))
    }

    /// An attribute of the element; nil if it has none of this name.
    borrowing func attribute(_ name: String) -> String? {
        guard let value = xmlTextReaderGetAttribute(pointer, name) else { return nil }
        defer { etl_xml_free(value) }
        return String(cString: value)
    }

    /// Refuses a document type that declares entities or names a file to fetch. Call it at the first element:
    /// by then the document type has been read, and nothing after it.
    borrowing func checkDTD() throws(XMLFault) {
        guard let subset = xmlTextReaderCurrentDoc(pointer)?.pointee.intSubset?.pointee else { return }
        guard subset.SystemID == nil, subset.ExternalID == nil else {
            throw XMLFault("The XML refers to an external DTD; such files are not supported.", line: line)
        }
        guard subset.entities == nil, subset.pentities == nil else {
            throw XMLFault("The XML declares entities; such files are not supported.", line: line)
        }
    }
}

/// Bytes that libxml2 asks for, and the failure to get them, which it does not pass on.
private final class XMLSource {
    private var bytes: any ByteSource
    private(set) var failure: ETLError?

    init(_ bytes: any ByteSource) { self.bytes = bytes }

    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        do throws(ETLError) {
            return Int32(try bytes.read(into: buffer))
        } catch {
            failure = error
            return -1
        }
    }
}
