package import Contract
package import Store
import Syntax

/// A message about a job, with its place in the job's history.
package struct JobEvent: Sendable, Hashable {
    /// The names of server-sent events.
    package enum Kind: String, Sendable, Hashable {
        case started, progress, completed, failed, canceled

        /// Whether nothing follows.
        package var isEnd: Bool { self != .started && self != .progress }
    }

    /// Higher than that of all earlier events of the job.
    package var id: Int64
    package var kind: Kind
    /// The message as JSON. Paths in it are below that of the server.
    package var message: [UInt8]

    /// The message with the path of the server in front of `resultsUrl`. A quote within a text has a backslash before it, so
    /// that nothing else looks like this field.
    package func message(at base: BasePath) -> [UInt8] {
        guard kind == .completed, !base.isRoot else { return message }
        let field = Array("\"resultsUrl\":\"".utf8)
        guard let start = message.indices.first(where: { message[$0...].starts(with: field) }) else {
            return message
        }
        var mounted = message
        mounted.insert(contentsOf: base.text.utf8, at: start + field.count)
        return mounted
    }
}

/// Messages that a watcher of a job has not received yet. Of the progress only the latest message is kept, so a slow watcher
/// gets the latest state and nothing piles up.
package struct JobEventLog: Sendable {
    /// Events of one run of a job have ids from a multiple of this. So ids also grow when a server that was killed
    /// runs the job again, and only the number of the run is stored.
    private static let idsPerRun: Int64 = 1_000_000_000

    package private(set) var pipeline: JobPipeline
    package private(set) var state = JobState.initialized
    package private(set) var progress = JobProgress(processedCount: 0, totalCount: 0)
    /// The latest sentence about it.
    package private(set) var sentence: String
    /// When something was told last, in milliseconds since 1970.
    package private(set) var updatedAt: Int64
    private var started: JobEvent?
    private var latest: JobEvent?
    private var end: JobEvent?
    private var lastID: Int64 = 0

    /// A job that waits.
    package init(_ pipeline: JobPipeline, sentence: String, at time: Int64) {
        self.pipeline = pipeline
        self.sentence = sentence
        updatedAt = time
    }

    /// A job that ended in an earlier process.
    package init(_ pipeline: JobPipeline, _ ending: JobEnding) {
        self.init(pipeline, sentence: Self.sentence(of: ending.message), at: ending.endedAt)
        state = ending.state.jobState
        lastID = ending.lastEvent
        end = JobEvent(id: ending.lastEvent, kind: ending.state.eventKind, message: ending.message)
    }

    /// The sentence of a message that says why a job has failed; empty of any other.
    private static func sentence(of message: [UInt8]) -> String {
        var sentence = ""
        do throws(JSONReadError) {
            try JSONReader.read(message) { reader throws(JSONReadError) in
                try reader.forEachKey { key, value throws(JSONReadError) in
                    guard key == "payload" else { return }
                    try value.forEachKey { key, value throws(JSONReadError) in
                        if key == "message" { sentence = try value.string().string }
                    }
                }
            }
        } catch {
            // A message of a later version: the state alone is shown.
        }
        return sentence
    }

    /// The job is run.
    ///
    /// - Parameter run: Number of times that it was begun, this time included.
    package mutating func begin(run: Int) {
        lastID = max(lastID, Int64(run) * Self.idsPerRun)
        (started, latest, end) = (nil, nil, nil)
        state = .processing
    }

    /// The job waits for something else before it can be run or go on. Its watchers are told.
    ///
    /// - Parameter job: Its name.
    package mutating func wait(_ sentence: String, _ job: String, at time: Int64) {
        // A job that was canceled meanwhile waits for nothing.
        guard end == nil else { return }
        let message = JobMessage(
            jobId: job, pipeline: pipeline, timestamp: time,
            .progress(progress, sentence: sentence, currentItem: ""))
        _ = add(.progress, message.json, sentence: sentence, at: time)
    }

    /// Adds a message.
    package mutating func add(
        _ kind: JobEvent.Kind, _ message: [UInt8], progress: JobProgress? = nil, sentence: String = "",
        at time: Int64
    ) -> JobEvent {
        lastID += 1
        let event = JobEvent(id: lastID, kind: kind, message: message)
        switch kind {
        case .started: started = event
        case .progress: latest = event
        case .completed: (end, state) = (event, .completed)
        case .failed: (end, state) = (event, .failed)
        case .canceled: (end, state) = (event, .canceled)
        }
        if let progress { self.progress = progress }
        if !sentence.isEmpty { self.sentence = sentence }
        updatedAt = time
        return event
    }

    /// Messages for a watcher that has seen an event, in order: at most three events.
    ///
    /// - Parameter id: The last event seen; 0 for none.
    package func events(after id: Int64) -> [JobEvent] {
        [started, latest, end].compactMap { event in event.flatMap { $0.id > id ? $0 : nil } }
    }

    /// Whether the job has ended and a watcher knows it.
    package func isOver(after id: Int64) -> Bool { end.map { $0.id <= id } ?? false }

    /// Its end; nil while it runs or waits.
    package var ending: JobEvent? { end }

    /// The last event that ``reconnection`` makes unnecessary; 0 if there is none.
    ///
    /// - Parameter withProgress: Whether the progress is among them. If not, it is only the start.
    package func restated(withProgress: Bool) -> Int64 {
        max(started?.id ?? 0, withProgress ? latest?.id ?? 0 : 0)
    }

    /// First message to a client that reconnects: the state.
    package var reconnection: JobMessage.Body {
        .reconnected(
            progress, state, lastUpdate: updatedAt,
            sentence: sentence.isEmpty ? "Reconnected" : "Reconnected. \(sentence)")
    }
}

extension QueuedJob.State {
    /// The job's state in the contract.
    package var jobState: JobState {
        switch self {
        case .waiting: .initialized
        case .running: .processing
        case .completed: .completed
        case .failed: .failed
        case .canceled: .canceled
        }
    }

    var eventKind: JobEvent.Kind {
        switch self {
        case .completed: .completed
        case .canceled: .canceled
        case .waiting, .running, .failed: .failed
        }
    }
}
