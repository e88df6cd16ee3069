import Foundation
import Pipeline

/// How the process ends. The numbers are those of BSD's sysexits where they fit, and stable: scripts branch
/// on them.
enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
    case completed = 0
    case rejected = 3
    case budget = 4
    case usage = 64
    case unusableInput = 65
    case missing = 66
    case unavailable = 69
    case bug = 70
    case cannotCreate = 73
    case inputOutput = 74
    case temporary = 75
    case permission = 77
    case configuration = 78
    case interrupted = 130
    case terminated = 143

    /// The status a failure of the runtime leads to.
    init(_ kind: StageFailure.Kind) {
        self =
            switch kind {
            // Still failing after all its retries, it is worth another try later.
            case .transient, .temporary: .temporary
            case .unusableInput: .unusableInput
            case .missing: .missing
            case .unavailable: .unavailable
            case .bug: .bug
            case .cannotCreate: .cannotCreate
            case .inputOutput: .inputOutput
            case .permission: .permission
            case .configuration: .configuration
            case .usage: .usage
            case .budget: .budget
            }
    }

    /// The status of what a signal has stopped.
    static func stopped(by signal: Int32?) -> ExitStatus { signal == SIGTERM ? .terminated : .interrupted }

    /// The status where something that was to be told besides could not be told. It is worth a status of its own only
    /// where all else is well: a reader who went away has nothing against a success, and cannot make one of a failure.
    func after(_ failure: CommandFailure) -> ExitStatus { self == .completed ? failure.status : self }

    /// What it tells, for the help.
    var meaning: String {
        switch self {
        case .completed: "completed; rejected records, if any, are listed by `etl errors`"
        case .rejected: "completed, but records were rejected and --strict was given"
        case .budget: "an error budget is spent; the job can be resumed"
        case .usage: "the command line is wrong"
        case .unusableInput: "the input is unusable as a whole, or has changed since the job began"
        case .missing: "an input, store or job does not exist or cannot be read"
        case .unavailable: "a provider named with --require is unavailable"
        case .bug: "a bug; please report it"
        case .cannotCreate: "output cannot be created"
        case .inputOutput: "reading or writing failed, the disk may be full; the job can be resumed"
        case .temporary: "temporary: store locked by another run, or quota spent; the job can be resumed"
        case .permission: "permission denied"
        case .configuration: "a setting or pipeline definition is wrong"
        case .interrupted: "SIGINT: the batch in hand is committed; the job can be resumed"
        case .terminated: "SIGTERM: the batch in hand is committed; the job can be resumed"
        }
    }
}
