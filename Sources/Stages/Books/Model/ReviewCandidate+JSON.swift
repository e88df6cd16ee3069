package import Syntax

extension ReviewCandidate: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("provider", provider)
            out.field("record", record)
            out.field("title", title)
            out.key("authors")
            out.array { out in for author in authors { out.string(author) } }
            out.field("year", year.map { Int($0) })
            out.field("score", score)
            out.key("evidence")
            out.array { out in for word in evidence { out.string(word) } }
        }
    }
}
