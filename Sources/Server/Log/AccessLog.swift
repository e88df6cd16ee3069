import Contract
import Syntax
package import System

/// Writes a line of JSON about each request, and about what the server does by itself. A separate thread writes, so that a
/// slow disk or terminal delays no request; lines that do not fit into its queue are counted and left out.
package final class AccessLog: Sendable {
    /// A request as logged. It has no query and no header fields that hold secrets.
    package struct Line: Sendable {
        /// Milliseconds since 1970.
        package var time: Int64
        package var id: String
        /// The trace of `traceparent`; nil without one.
        package var trace: String?
        package var client: String
        package var method: String
        /// The route's path with parameters in braces, or the path that no route has.
        package var path: String
        /// The job that the path names; nil if it names none.
        package var job: String?
        /// Nil if the connection broke.
        package var status: Int?
        package var microseconds: UInt64
        /// The client's version: `X-Client-Version`.
        package var version: String?
        /// The name of the server's token.
        package var token: String?
    }

    /// Something that the server has done by itself.
    package struct Event: Sendable {
        /// Milliseconds since 1970.
        package var time: Int64
        /// Its name, in words separated by points: `nightly.backup`.
        package var name: String
        /// The job that it is about; nil if there is none.
        package var job: String?
        package var result: String
        /// Why, as a sentence; empty if there is nothing to say.
        package var sentence: String
    }

    private enum Entry: Sendable {
        case request(Line)
        case event(Event)
    }

    private struct State: Sendable {
        var lines: [Entry] = []
        var dropped = 0
        var isStopping = false
        var isOver = false
    }

    /// Maximum number of lines that wait.
    private static let waiting = 10_000
    /// Interval at which waiting lines are written, in nanoseconds.
    private static let pause: UInt64 = 50_000_000

    private let state = Guarded(State())

    /// - Parameter write: Writes lines somewhere. It may block.
    package init(writing write: @escaping @Sendable ([UInt8]) -> Void) throws(ETLError) {
        let state = state
        let isStarted = SystemThread.start(stackBytes: 256 << 10) {
            while true {
                let (lines, dropped, isLast) = state.withLock { state in
                    defer { (state.lines, state.dropped) = ([], 0) }
                    return (state.lines, state.dropped, state.isStopping)
                }
                let text = Self.text(lines, dropped)
                if !text.isEmpty { write(text) }
                if isLast { break }
                SystemClock().block(nanoseconds: Self.pause)
            }
            state.withLock { $0.isOver = true }
        }
        guard isStarted else { throw ETLError(.temporary, "No thread for the log can be started.") }
    }

    /// Logs a request.
    package func add(_ line: Line) { add(.request(line)) }

    /// Logs an event.
    package func add(_ event: Event) { add(.event(event)) }

    private func add(_ entry: Entry) {
        state.withLock { state in
            if state.lines.count < Self.waiting { state.lines.append(entry) } else { state.dropped += 1 }
        }
    }

    /// Writes what waits, and ends.
    package func stop() {
        state.withLock { $0.isStopping = true }
        while !state.withLock({ $0.isOver }) { SystemClock().block(nanoseconds: 5_000_000) }
    }

    private static func text(_ entries: [Entry], _ dropped: Int) -> [UInt8] {
        var out = JSONWriter()
        for entry in entries {
            switch entry {
            case .request(let line): write(line, into: &out)
            case .event(let event): write(event, into: &out)
            }
            out.endLine()
        }
        if dropped > 0 {
            out.object { $0.field("dropped", dropped) }
            out.endLine()
        }
        return out.bytes
    }

    private static func write(_ event: Event, into out: inout JSONWriter) {
        out.object { out in
            out.field("time", Timestamp.withMilliseconds(event.time))
            out.field("event", event.name)
            out.field("job", event.job)
            out.field("result", event.result)
            if !event.sentence.isEmpty { out.field("message", event.sentence) }
        }
    }

    private static func write(_ line: Line, into out: inout JSONWriter) {
        out.object { out in
            out.field("time", Timestamp.withMilliseconds(line.time))
            out.field("id", line.id)
            out.field("trace", line.trace)
            out.field("client", line.client)
            out.field("method", line.method)
            out.field("path", line.path)
            out.field("job", line.job)
            out.field("status", line.status)
            out.field("ms", Double(line.microseconds) / 1_000)
            out.field("version", line.version)
            out.field("token", line.token)
        }
    }
}

/// The W3C trace context (`traceparent`).
package enum TraceContext {
    /// The trace id of `00-TRACE-PARENT-FLAGS`; nil if the value is not valid.
    package static func trace(_ value: String?) -> String? {
        guard let value else { return nil }
        let parts = value.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].utf8.count == 2, parts[0] != "ff", parts[1].utf8.count == 32,
            parts[2].utf8.count == 16, parts[3].utf8.count == 2, parts[0...3].allSatisfy({ isHex($0) }),
            parts[0] != "00" || parts.count == 4, parts[1].contains(where: { $0 != "0" }),
            parts[2].contains(where: { $0 != "0" })
        else { return nil }
        return String(parts[1])
    }

    private static func isHex(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
