/// What `etl errors --format json` says of one record.
extension ListedError: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("kind", kind.rawValue)
            out.field("row", row)
            out.field("line", line)
            out.field("byte", byte)
            out.field("file", file)
            out.field("stage", stage)
            out.field("field", field)
            out.field("value", value)
            out.field("code", code)
            out.field("reason", reason)
            guard kind == .reject else { return }
            out.key("raw")
            raw.withUnsafeBytes { out.string(utf8: $0) }
            // Said only where the record is longer than what was kept of it.
            if rawLength > raw.count { out.field("rawLength", rawLength) }
        }
    }
}
