package import Syntax

extension UnmappedTerms.Term: JSONWritable {
    /// Writes a line of `etl genres --unmapped --json`.
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("term", text)
            out.field("source", source.rawValue)
            out.field("count", count)
            out.field("hints", hints)
        }
    }
}
