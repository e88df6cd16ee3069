package import Bytes
import Pipeline

/// Records whose bytes are a JSON document each.
extension Record {
    /// Takes the record's bytes apart, where they are whole: its cells are what `decode` returns, and what is odd about
    /// it is among its flags.
    ///
    /// Texts may be broken over lines: many readers of JSON allow it, so many files have it.
    package mutating func readJSON(
        in arena: inout Arena,
        _ decode: (inout JSONReader, inout Arena) throws(JSONReadError) -> Range<Int>
    ) {
        guard flags.isDisjoint(with: .withoutCells) else { return }
        let bytes = arena.bytes(raw)
        do throws(JSONReadError) {
            let (cells, hasBareControls) = try JSONReader.read(bytes) { (reader) throws(JSONReadError) in
                reader.allowsBareControls = true
                let cells = try decode(&reader, &arena)
                try reader.finish()
                return (cells, reader.hasBareControls)
            }
            self.cells = cells
            if hasBareControls { flags.insert(.bareControls) }
            if !bytes.withUnsafeBytes({ $0.isUTF8 }) { flags.insert(.invalidUTF8) }
        } catch {
            flags.insert(.unreadable)
        }
    }
}
