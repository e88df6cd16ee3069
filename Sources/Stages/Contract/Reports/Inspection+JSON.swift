import Pipeline

/// What `etl inspect --json` says.
extension Inspection: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("size", size)
            out.field("encoding", String(describing: encoding.encoding))
            out.field("encodingEvidence", encoding.evidence)
            out.field("delimiter", String(UnicodeScalar(dialect.dialect.delimiter)))
            out.field("delimiterEvidence", dialect.evidence)
            out.field("profile", profile)
            out.key("scores")
            out.array { out in
                for score in scores {
                    out.object { out in
                        out.field("profile", score.profile)
                        out.field("score", score.score)
                    }
                }
            }
            out.field("headerLine", headerPosition.line)
            out.field("recordCount", recordCount)
            out.key("columns")
            out.array { out in for column in columns { Self.write(column, into: &out) } }
            out.key("samples")
            out.array { out in for sample in samples { Self.write(sample, into: &out) } }
            out.key("problems")
            out.array { out in for problem in problems { Self.write(problem, into: &out) } }
        }
    }

    private static func write(_ column: Column, into out: inout JSONWriter) {
        out.object { out in
            out.field("number", column.number)
            out.field("name", column.name)
            out.field("field", column.field.map { String(describing: $0) })
        }
    }

    private static func write(_ sample: Sample, into out: inout JSONWriter) {
        out.object { out in
            out.field("record", sample.record)
            out.field("title", sample.title)
            out.field("series", sample.series)
            out.field("people", sample.people)
            out.field("isbns", sample.isbns)
            out.field("format", sample.format?.contractName)
        }
    }

    private static func write(_ problem: Problem, into out: inout JSONWriter) {
        out.object { out in
            out.field("code", problem.code)
            out.field("count", problem.count)
            out.field("firstRecords", problem.firstRecords)
            out.field("example", problem.example)
        }
    }
}
