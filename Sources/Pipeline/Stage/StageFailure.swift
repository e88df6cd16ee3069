/// The world is broken: a disk is full, a file has gone, a database is locked. Not a bad record, which is a
/// ``Reject``. A transient failure is retried with the same batch; any other stops the run, which can be resumed.
public struct StageFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What to do about it, and the exit status it leads to.
    public enum Kind: String, Sendable, Hashable {
        /// Worth trying again with the same batch.
        case transient
        /// The input cannot be used as a whole, or is not what it was when the run began (65).
        case unusableInput
        /// An input or a store does not exist or cannot be read (66).
        case missing
        /// A service that was required is not there (69).
        case unavailable
        /// Our own mistake (70).
        case bug
        /// Output cannot be created (73).
        case cannotCreate
        /// Reading or writing failed, the disk is full (74).
        case inputOutput
        /// Locked by another run, or out of quota until later (75).
        case temporary
        /// Not allowed (77).
        case permission
        /// A setting or definition is wrong (78).
        case configuration
        /// What was asked for cannot be meant: a name that is taken, a number that is none (64).
        case usage
        /// An error budget is spent (4).
        case budget
    }

    /// What follows from it.
    public var kind: Kind
    /// What happened, in one sentence that names the thing concerned.
    public var message: String
    /// What the user can do, in one sentence.
    public var advice: UserText?
    /// Where in the input, if the input is concerned.
    public var position: Position?

    /// A failure in two sentences: what happened, and what to do.
    public init(_ kind: Kind, _ message: String, advice: UserText? = nil, position: Position? = nil) {
        self.kind = kind
        self.message = message
        self.advice = advice
        self.position = position
    }

    /// The message. How advice reads depends on the program that shows it.
    public var description: String { message }
}
