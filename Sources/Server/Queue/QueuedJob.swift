import Contract

/// A job that a server has accepted, until its results expire.
package struct QueuedJob: Sendable, Hashable {
    /// The states of a job.
    package enum State: String, Sendable, Hashable {
        case waiting, running, completed, failed, canceled

        /// Whether nothing more happens to it.
        package var isEnd: Bool { self != .waiting && self != .running }
    }

    /// Its number; later jobs have higher ones.
    package var id: Int64
    package var options: ImportOptions
    /// The owner of the server's token that it was requested with, ``ServerTokens/Access/owner``; nil without one.
    package var owner: String?
    package var state: State
    /// Number of times that it was begun.
    package var runs: Int
    /// Milliseconds since 1970.
    package var acceptedAt: Int64
    /// Its end; nil while it waits or runs.
    package var ending: JobEnding?

    /// The user whose job it is, as ``ClientAddress/user(_:at:)`` names it.
    package var user: String {
        isBackground ? "the server" : ClientAddress.user(owner, at: options.sender)
    }

    /// The name of the server's token that it was requested with; nil without one.
    package var tokenName: String? { owner.flatMap { Self.tokenName(ofOwner: $0) } }

    /// The name of the token of an owner.
    package static func tokenName(ofOwner owner: String) -> String? {
        owner.split(separator: " ").first.map(String.init)
    }

    /// Maximum size of a small upload in bytes: an export of 2,000 books with long reviews.
    package static let smallUpload = 1 << 20
    /// Maximum number of its records.
    package static let smallCount = 2_000

    /// Whether it is done soon, so that a large job of the same user gives way to it.
    package var isSmall: Bool {
        switch options.kind {
        case .books, .edition, .photos: true
        case .files: options.bytes <= Self.smallUpload && options.records ?? 0 <= Self.smallCount
        // They follow the job that they belong to.
        case .corrections, .resume, .refresh: false
        }
    }

    /// Whether it gives way to another job when it has had its share.
    package func yields(to other: QueuedJob) -> Bool {
        guard !isBackground else { return !other.isBackground }
        return !other.isBackground && (user != other.user || other.isSmall && !isSmall)
    }

    /// Whether it is a job of the server itself, which waits for those of all users.
    package var isBackground: Bool { options.kind == .refresh }
}

/// End of a job.
package struct JobEnding: Sendable, Hashable {
    package var state: QueuedJob.State
    /// Milliseconds since 1970.
    package var endedAt: Int64
    /// When the results are no longer shown, in milliseconds since 1970.
    package var expiresAt: Int64
    /// The id of the last message among the job's events.
    package var lastEvent: Int64
    /// The last message: `job_complete` or `error`, as JSON.
    package var message: [UInt8]

    package init(
        state: QueuedJob.State, endedAt: Int64, expiresAt: Int64, lastEvent: Int64, message: [UInt8]
    ) {
        self.state = state
        self.endedAt = endedAt
        self.expiresAt = expiresAt
        self.lastEvent = lastEvent
        self.message = message
    }
}

/// End of a job, with what its clients and the webhook are told.
struct JobEnd: Sendable {
    var job: QueuedJob
    var message: JobMessage
    var ending: JobEnding
    /// Nil if no webhook is told.
    var delivery: WebhookDelivery?
}
