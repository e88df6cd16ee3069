import Books
package import Store
package import Syntax

extension Review {
    /// Writes one element of the output of `etl review --json`.
    package func write(of job: Job, into out: inout JSONWriter) {
        out.object { out in
            out.field("row", place.row)
            out.field("file", job.inputs.count > 1 ? job.fileName(place.file) : nil)
            out.field("title", title)
            out.field("author", author)
            out.field("decision", decision?.word)
            out.field("options", options)
        }
    }
}

extension MatchDecisions.Decision {
    /// The chosen record, or `none`.
    var word: String {
        switch self {
        case .accepted(let record): "\(record.provider.contractName)/\(record.record)"
        case .refused: "none"
        }
    }
}
