package import Bytes
package import System

/// The records of an XML document, each as a separate small document. The root's tag is put around it,
/// because it declares the namespaces.
///
/// Memory is that of one record, whatever the document's length. A damaged record does not affect others.
/// Reading can resume in the middle of a document. The parser never sees a document type, and therefore no
/// entity declarations.
package struct XMLRecordReader: ~Copyable {
    private var frames: FrameReader<XMLFraming>
    private let prefix: [UInt8]
    private let suffix: [UInt8]
    private let path: String?
    /// The last record returned, inside its root element.
    package private(set) var document: [UInt8] = []

    /// - Parameters:
    ///   - source: The document's bytes from `start` on.
    ///   - prolog: The prolog from the start of the document, even if reading begins later.
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

    /// The position after the last record.
    package var position: Position { frames.position }

    /// Bytes of input held in memory.
    package var heldBytes: Int { frames.heldBytes }

    /// Appends the next record's bytes to the arena and makes its ``document`` ready to be parsed. Nil at the
    /// end.
    ///
    /// A truncated record or one over the limit has no document.
    ///
    /// - Throws: Errors of reading, and `unusableInput` if elements around records are nested too deeply.
    ///   Otherwise such a document would look as if it held no records.
    package mutating func next(arena: inout Arena) throws(ETLError) -> Record? {
        document.removeAll(keepingCapacity: true)
        let next = try frames.next(arena: &arena)
        guard !frames.framing.isTooDeep else {
            throw ETLError(
                .unusableInput,
                "\(path.map { "`\($0)`" } ?? "The XML") nests elements more than \(XMLFraming.deepest) levels deep.",
                advice: "Export the library again.")
        }
        guard var record = next else { return nil }
        guard record.flags.isDisjoint(with: .withoutCells) else { return record }
        document.append(contentsOf: prefix)
        let repairs = arena.withBytes(record.raw) { XMLRepair.append($0, to: &document) }
        document.append(contentsOf: suffix)
        record.flags.formUnion(repairs)
        return record
    }
}
