import Books
package import Syntax

/// What `etl errors --reasons --format json` says of a code.
extension ReasonCode: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("code", code)
            out.field("kind", (isReject ? ListedError.Kind.reject : .warning).rawValue)
            out.field("sentence", sentence)
            out.field("advice", advice)
        }
    }
}
