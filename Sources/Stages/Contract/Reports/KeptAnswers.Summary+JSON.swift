/// What `etl cache info --json` says of a service.
extension KeptAnswers.Summary: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("service", service)
            out.field("found", found)
            out.field("notFound", notFound)
            out.field("stale", stale)
            out.field("bytes", bytes)
            out.field("oldestMilliseconds", oldestMilliseconds)
        }
    }
}
