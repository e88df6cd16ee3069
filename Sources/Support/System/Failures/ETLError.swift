/// A problem outside the data: a full disk, a missing file, a locked database. A bad record is a ``Reject``
/// instead. A transient failure is retried with the same batch. Any other ends the run, which can be resumed.
package struct ETLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, which determines the exit status (in parentheses).
    package enum Kind: String, Sendable, Hashable {
        /// May succeed if the same batch is tried again.
        case transient
        /// The input as a whole cannot be used, or has changed since the job began (65).
        case unusableInput
        /// The input expands to more than is allowed (65).
        case tooLarge
        /// An input or a store does not exist, or is something else (66).
        case missing
        /// A required service is not available (69).
        case unavailable
        /// A bug in this program (70).
        case bug
        /// The output cannot be created (73).
        case cannotCreate
        /// Reading or writing failed, or the disk is full (74).
        case inputOutput
        /// Locked by another run, or the quota is spent for now (75).
        case temporary
        /// Not allowed (77).
        case permission
        /// A setting or pipeline definition is wrong (78).
        case configuration
        /// Invalid usage, such as a name that is taken or an invalid number (64).
        case usage
        /// The error budget is spent (4).
        case budget
        /// Later changes stand in the way (5).
        case conflict
    }

    /// The kind of failure.
    package var kind: Kind
    /// The problem, in one sentence that names the file, setting or service concerned.
    package var message: String
    /// The remedy, in one sentence.
    package var advice: UserText?
    /// Where in the input, if the input is concerned.
    package var position: Position?
    /// Further failures of the same kind, such as all other problems of a definition.
    package var further: [ETLError] = []
    /// What a database reported; nil if the failure has another cause.
    package var fault: DatabaseFault?

    /// A failure with a message, and advice on what to do.
    package init(_ kind: Kind, _ message: String, advice: UserText? = nil, position: Position? = nil) {
        self.kind = kind
        self.message = message
        self.advice = advice
        self.position = position
    }

    /// The message. Advice is left out, because only the program knows how commands and settings are written.
    package var description: String { message }
}

/// What a database reported, for callers that go on instead of reporting it.
package struct DatabaseFault: Sendable, Hashable {
    /// Faults that callers tell apart.
    package enum Cause: Sendable, Hashable {
        /// The disk has no room for what was to be written.
        case full
        /// Another connection kept the database locked for longer than the wait.
        case locked
        /// The statement was stopped on request.
        case interrupted
        /// The pages or the schema of the database are damaged.
        case damaged
        /// The file is not a database at all.
        case notADatabase
        case other
    }

    /// The kind of fault.
    package let cause: Cause
    /// SQLite's message.
    package let message: String
    /// The database file.
    package let path: String

    /// A fault that a database reported.
    package init(_ cause: Cause, _ message: String, path: String) {
        self.cause = cause
        self.message = message
        self.path = path
    }
}
