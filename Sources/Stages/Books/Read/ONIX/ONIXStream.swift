package import Bytes
package import Pipeline
package import Syntax

/// The products of an ONIX message.
package struct ONIXStream: SingleRecordStream, ~Copyable {
    private var records: XMLRecordReader
    private var product = ONIXProduct()

    /// - Parameter blockBytes: Bytes to look at at a time.
    package init(
        _ source: some ByteSource, prolog: XMLProlog, limits: RecordLimits, from start: Position,
        blockBytes: Int? = nil
    ) {
        records = XMLRecordReader(
            source, prolog: prolog, names: ["Product", "product"], limits: limits, from: start,
            blockBytes: blockBytes)
    }

    package var position: Position { records.position }

    /// Bytes of input it holds in memory.
    package var heldBytes: Int { records.heldBytes }

    package mutating func next(arena: inout Arena, cells: inout [Text]) throws(StageFailure) -> Record? {
        guard var found = try records.next(arena: &arena) else { return nil }
        guard found.flags.isDisjoint(with: .withoutCells) else { return found }
        let document = records.document
        do throws(XMLFault) {
            found.cells = try document.lend { (bytes) throws(XMLFault) in
                try product.decode(bytes, in: &arena, to: &cells)
            }
        } catch {
            found.flags.insert(.unreadable)
        }
        return found
    }
}
