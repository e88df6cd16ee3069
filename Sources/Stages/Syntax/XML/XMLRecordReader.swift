package import Bytes
package import Pipeline

/// The records of an XML document, each as a small document of its own: the tag of the root around it, for the
/// namespaces it declares.
///
/// Memory is that of one record, whatever the document's length; a damaged record damages no other; and reading goes
/// on in the middle of a document as well as from its start. No document type, and so no entity, ever reaches the
/// parser.
package struct XMLRecordReader: ~Copyable {
    private var frames: FrameReader<XMLFraming>
    private let prefix: [UInt8]
    private let suffix: [UInt8]
    private let path: String?
    /// The record handed out last, within its root.
    package private(set) var document: [UInt8] = []

    /// - Parameters:
    ///   - source: The document's bytes from `start` on.
    ///   - prolog: What stands at its head, wherever reading starts.
    ///   - names: Names of the elements that are records.
    package init(
        _ source: some ByteSource, prolog: XMLProlog, names: [String], limits: RecordLimits,
        from start: Position,
        blockBytes: Int? = nil
    ) {
        frames = FrameReader(
            source, framing: XMLFraming(names: names), encoding: prolog.encoding ?? .utf8,
            limit: limits.recordBytes, from: start, blockBytes: blockBytes)
        prefix = prolog.rootTag
        path = prolog.path
        let name = prefix.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        suffix = Array("</".utf8) + name + Array(">".utf8)
    }

    /// After the last record.
    package var position: Position { frames.position }

    /// Bytes of input it holds in memory.
    package var heldBytes: Int { frames.heldBytes }

    /// The next record, its bytes appended to the arena and its ``document`` ready to be parsed; nil at the end.
    ///
    /// A record that is cut short or over the limit has no document.
    ///
    /// - Throws: What reading throws, and `unusableInput` where elements around records nest so deep as none do: such a
    ///   document is none that holds no records.
    package mutating func next(arena: inout Arena) throws(StageFailure) -> Record? {
        document.removeAll(keepingCapacity: true)
        let next = try frames.next(arena: &arena)
        guard !frames.framing.isTooDeep else {
            throw StageFailure(
                .unusableInput,
                "\(path ?? "The XML") nests more than \(XMLFraming.deepest) elements within each other.",
                advice: "Export the library again.")
        }
        guard let record = next else { return nil }
        guard record.flags.isDisjoint(with: .withoutCells) else { return record }
        document.append(contentsOf: prefix)
        arena.withBytes(record.raw) { document.append(contentsOf: $0) }
        document.append(contentsOf: suffix)
        XMLEntities.resolve(&document)
        return record
    }
}
