import Pipeline
import Syntax

/// Objects on their way out: a line each, or all in one array.
struct JSONObjects: ~Copyable {
    private var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
    private let isArray: Bool
    private var count = 0

    init(isArray: Bool) {
        self.isArray = isArray
        if isArray { out.beginArray() }
    }

    /// Writes an object whose fields `fields` writes.
    mutating func write(
        to sink: ByteSink, _ fields: (inout JSONWriter) throws(StageFailure) -> Void
    ) throws(StageFailure) {
        try out.object(fields)
        if !isArray { out.endLine() }
        count += 1
        try out.handOn(to: sink)
    }

    /// Hands on what is left.
    ///
    /// - Returns: How many objects there were.
    consuming func end(to sink: ByteSink) throws(StageFailure) -> Int {
        if isArray {
            out.endArray()
            out.endLine()
        }
        try out.handOn(to: sink, isEnd: true)
        return count
    }
}
