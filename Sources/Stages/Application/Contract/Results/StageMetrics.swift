package import Syntax

/// What a stage did and what it waited for.
package struct StageMetrics: Sendable, Hashable {
    /// Its name in the pipeline file.
    package var name: String
    /// Records that came in and went out.
    package var recordsIn: Int
    package var recordsOut: Int
    /// Milliseconds at work, waiting for something to do, and waiting for the next stage to take it.
    package var busyMs: Int64
    package var blockedOnInputMs: Int64
    package var blockedOnOutputMs: Int64

    package init(
        name: String, recordsIn: Int, recordsOut: Int, busyMs: Int64, blockedOnInputMs: Int64,
        blockedOnOutputMs: Int64
    ) {
        self.name = name
        self.recordsIn = recordsIn
        self.recordsOut = recordsOut
        self.busyMs = busyMs
        self.blockedOnInputMs = blockedOnInputMs
        self.blockedOnOutputMs = blockedOnOutputMs
    }
}

extension StageMetrics: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("name", name)
            out.field("in", recordsIn)
            out.field("out", recordsOut)
            out.field("busyMs", busyMs)
            out.field("blockedOnInputMs", blockedOnInputMs)
            out.field("blockedOnOutputMs", blockedOnOutputMs)
        }
    }
}
