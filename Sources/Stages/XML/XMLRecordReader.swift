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
    private var document: [UInt8] = []

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
        let name = prefix.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        suffix = Array("</".utf8) + name + Array(">".utf8)
    }

    /// After the last record.
    package var position: Position { frames.position }

    /// Bytes of input it holds in memory.
    package var heldBytes: Int { frames.heldBytes }

    /// The next record, its bytes appended to the arena, and its document lent to `decode`; nil at the end.
    ///
    /// Not lent is a record that is cut short or over the limit. One that `decode` refuses is
    /// ``RecordFlags/unreadable``.
    package mutating func next(
        arena: inout Arena,
        decode: (UnsafeRawBufferPointer, inout Record, inout Arena) throws(XMLFault) -> Void
    ) throws(StageFailure) -> Record? {
        guard var record = try frames.next(arena: &arena) else { return nil }
        guard record.flags.isDisjoint(with: .withoutCells) else { return record }
        document.removeAll(keepingCapacity: true)
        document.append(contentsOf: prefix)
        arena.withBytes(record.raw) { document.append(contentsOf: $0) }
        XMLEntities.resolve(&document)
        document.append(contentsOf: suffix)
        do throws(XMLFault) {
            try document.lend { (bytes) throws(XMLFault) in try decode(bytes, &record, &arena) }
        } catch {
            record.cells = 0..<0
            record.flags.insert(.unreadable)
        }
        return record
    }
}
