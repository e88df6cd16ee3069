package import Bytes
package import Syntax
package import System

/// The records of a MARC file (ISO 2709), with the columns of a book.
package struct MARCStream: SingleRecordStream, ~Copyable {
    private var frames: FrameReader<MARCFraming>
    private var decoder = ISO2709Decoder()
    private var record = MARCRecord()

    /// - Parameter blockBytes: Number of bytes to examine at a time.
    package init(
        _ source: some ByteSource, limits: RecordLimits, from start: Position, blockBytes: Int? = nil
    ) {
        frames = FrameReader(
            source, framing: MARCFraming(), limit: limits.recordBytes, from: start, blockBytes: blockBytes)
    }

    package var position: Position { frames.position }

    /// Number of input bytes held in memory.
    package var heldBytes: Int { frames.heldBytes }

    package mutating func next(arena: inout Arena, cells: inout [Text]) throws(ETLError) -> Record? {
        guard var found = try frames.next(arena: &arena) else { return nil }
        guard found.flags.isDisjoint(with: .withoutCells) else { return found }
        guard decoder.decode(found.raw, in: &arena, into: &record) else {
            found.flags.insert(.unreadable)
            return found
        }
        found.flags.formUnion(decoder.flags)
        found.cells = MARCBook.cells(of: record, in: &arena, to: &cells)
        return found
    }
}

/// The records of a MARCXML document, with the columns of a book.
package struct MARCXMLStream: SingleRecordStream, ~Copyable {
    private var records: XMLRecordReader
    private var decoder = MARCXMLDecoder()
    private var record = MARCRecord()

    /// - Parameter blockBytes: Number of bytes to examine at a time.
    package init(
        _ source: some ByteSource, prolog: XMLProlog, limits: RecordLimits, from start: Position,
        blockBytes: Int? = nil
    ) {
        records = XMLRecordReader(
            source, prolog: prolog, names: [Self.recordName(under: prolog.root)], limits: limits, from: start,
            blockBytes: blockBytes)
    }

    /// The element that contains a record. In OAI-PMH and SRU responses `record` is an envelope, and the MARC
    /// record is in a part of it.
    private static func recordName(under root: String) -> String {
        switch root {
        case "OAI-PMH": "metadata"
        case "searchRetrieveResponse": "recordData"
        default: "record"
        }
    }

    package var position: Position { records.position }

    /// Number of input bytes held in memory.
    package var heldBytes: Int { records.heldBytes }

    package mutating func next(arena: inout Arena, cells: inout [Text]) throws(ETLError) -> Record? {
        guard var found = try records.next(arena: &arena) else { return nil }
        guard found.flags.isDisjoint(with: .withoutCells) else { return found }
        let document = records.document
        do throws(XMLFault) {
            try document.lend { (bytes) throws(XMLFault) in
                try decoder.decode(bytes, in: &arena, into: &record)
            }
            found.cells = MARCBook.cells(of: record, in: &arena, to: &cells)
        } catch {
            found.flags.insert(.unreadable)
        }
        return found
    }
}

/// The records of MARC-in-JSON, with the columns of a book.
package struct MARCJSONStream: SingleRecordStream, ~Copyable {
    private var frames: FrameReader<JSONFraming>
    private var record = MARCRecord()

    /// - Parameter blockBytes: Number of bytes to examine at a time.
    package init(
        _ source: some ByteSource, encoding: TextEncoding = .utf8, limits: RecordLimits, from start: Position,
        blockBytes: Int? = nil
    ) {
        frames = FrameReader(
            source, framing: JSONFraming(keys: .marc), encoding: encoding, limit: limits.recordBytes,
            from: start, blockBytes: blockBytes)
    }

    package var position: Position { frames.position }

    /// Number of input bytes held in memory.
    package var heldBytes: Int { frames.heldBytes }

    package mutating func next(arena: inout Arena, cells: inout [Text]) throws(ETLError) -> Record? {
        guard var found = try frames.next(arena: &arena) else { return nil }
        found.readJSON(in: &arena) { (reader, arena) throws(JSONReadError) in
            try MARCJSONDecoder.decode(&reader, in: &arena, into: &record)
            return MARCBook.cells(of: record, in: &arena, to: &cells)
        }
        return found
    }
}
