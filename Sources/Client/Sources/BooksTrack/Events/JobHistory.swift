import Foundation

/// Messages about a job that a client has received, over whichever channel. It has no connection.
struct JobHistory: Sendable {
    /// Request in a WebSocket message.
    enum Action: Sendable, Hashable {
        /// Pass this update to the app.
        case pass(JobUpdate)
        /// Send this to the service.
        case answer(String)
    }

    /// First message of a client: it subscribes to events.
    static let ready = #"{"type":"ready"}"#
    private static let pong = #"{"type":"pong"}"#

    /// The id of the last event of a stream; nil if there was none.
    private(set) var lastEvent: String?
    /// Number of updates that were passed on.
    private(set) var newsCount = 0
    private var latest: JobUpdate?
    /// An error over a WebSocket. Only the close code tells whether the job failed or was canceled.
    private var heldError: JobMessage.Payload?
    private var isCanceled = false

    /// Whether the last update was passed on.
    var isOver: Bool { latest?.kind.isFinal ?? false }

    /// The update, if it says something new.
    mutating func accept(_ update: JobUpdate) -> JobUpdate? {
        guard !isOver else { return nil }
        if let latest {
            // After a reconnection the service tells from the beginning.
            if update.kind == .started { return nil }
            var known = latest
            // A status and the state after a reconnection have no text.
            if update.text.isEmpty { known.text = "" }
            if update.processedCount == nil { known.processedCount = nil }
            if update == known { return nil }
        }
        latest = update
        newsCount += 1
        return update
    }

    // MARK: Streams

    /// Content of a stream's event.
    mutating func read(_ event: EventParser.Event) -> JobUpdate? {
        lastEvent = event.id ?? lastEvent
        let payload = JobMessage(Data(event.data.utf8))?.content
        if event.name == "reconnected" { return payload.flatMap { accept(Self.state($0)) } }
        return JobUpdate.Kind(rawValue: event.name).flatMap { accept(JobUpdate($0, payload)) }
    }

    /// The state that a client is told when it comes back. If the job is over, its last event follows.
    private static func state(_ payload: JobMessage.Payload) -> JobUpdate {
        JobUpdate(.progress, progress: payload.progress, processedCount: payload.processedCount)
    }

    // MARK: WebSockets

    /// A new WebSocket was opened.
    mutating func connect() { (heldError, isCanceled) = (nil, false) }

    /// Request in a WebSocket message; nil for nothing.
    mutating func read(_ message: Data) -> Action? {
        guard let message = JobMessage(message) else { return nil }
        let payload = message.content
        switch message.type {
        case "job_started", "batch-init": return accept(JobUpdate(.started, payload)).map { .pass($0) }
        case "job_progress", "batch-progress": return accept(JobUpdate(.progress, payload)).map { .pass($0) }
        case "job_complete", "batch-complete": return accept(JobUpdate(.completed, payload)).map { .pass($0) }
        case "reconnected":
            isCanceled = payload?.status == JobStatus.State.canceled.rawValue
            return payload.flatMap { accept(Self.state($0)) }.map { .pass($0) }
        case "error":
            heldError = payload
            return nil
        case "batch-canceling":
            (heldError, isCanceled) = (JobMessage.Payload(), true)
            return nil
        case "ping": return .answer(Self.pong)
        default: return nil
        }
    }

    /// The service has closed the WebSocket.
    ///
    /// - Returns: The last update, if the code decides what it is.
    mutating func close(_ code: CloseCode) -> JobUpdate? {
        guard let error = heldError else { return nil }
        return accept(JobUpdate(isCanceled || code == .goingAway ? .canceled : .failed, error))
    }
}
