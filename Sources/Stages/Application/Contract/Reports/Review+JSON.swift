extension Review {
    /// An element of what `etl review --json` says.
    func write(of job: Job, into out: inout JSONWriter) {
        out.object { out in
            out.field("row", place.row)
            out.field("file", job.inputs.count > 1 ? job.fileName(place.file) : nil)
            out.field("title", title)
            out.field("author", author)
            out.field("decision", decision?.word)
            out.key("options")
            out.array { out in for option in options { option.write(into: &out) } }
        }
    }
}

extension BookOption: JSONWritable {
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
