import Contract
import Sources
package import Syntax

/// The output of `etl catalog info --json`.
extension CatalogDescription: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("path", path)
        out.field("bytes", bytes)
        out.field("version", version)
        out.field("provider", provider)
        out.field("builtAt", builtAt)
        out.field("isbns", isbns)
        out.field("editions", editions)
        out.field("works", works)
        out.field("authors", authors)
        out.field("titles", titles)
        out.field("people", people)
        out.field("sources", sources) { source, out in
            out.field("name", source.name)
            out.field("bytes", source.bytes)
            out.field("provider", source.provider)
            out.field("lines", source.lines)
            out.field("records", source.records)
            out.field("malformed", source.malformed)
            out.field("dumpDate", source.dumpDate)
        }
    }
}
