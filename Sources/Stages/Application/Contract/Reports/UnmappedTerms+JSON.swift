package import Syntax

extension UnmappedTerms {
    /// Writes an element of the output of `etl genres --unmapped --json`.
    package static func write(_ term: Term, into out: inout JSONWriter) {
        out.object { out in
            out.field("term", term.text)
            out.field("source", term.source.rawValue)
            out.field("count", term.count)
            out.field("hints", term.hints)
        }
    }
}
