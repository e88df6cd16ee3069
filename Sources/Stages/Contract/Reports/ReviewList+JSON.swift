/// What `etl review --json` says.
extension ReviewList: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.array { out in
            for review in reviews {
                out.object { out in
                    out.field("row", review.place.row)
                    out.field("file", job.inputs.count > 1 ? job.fileName(review.place.file) : nil)
                    out.field("title", review.title)
                    out.field("author", review.author)
                    out.field("decision", review.decision?.word)
                    out.key("options")
                    out.array { out in for option in review.options { option.write(into: &out) } }
                }
            }
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
