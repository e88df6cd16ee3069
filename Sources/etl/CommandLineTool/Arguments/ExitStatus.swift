import FoundationEssentials
import Glibc
import System

/// The exit status of the process. Most numbers are those of BSD's sysexits. They never change, because
/// scripts depend on them.
package enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
    case completed = 0
    case rejected = 3
    case budget = 4
    case conflict = 5
    case violated = 6
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

    /// The status for a failure of the runtime.
    init(_ kind: ETLError.Kind) {
        self =
            switch kind {
            // It still fails after all retries, but may succeed later.
            case .transient, .temporary: .temporary
            case .unusableInput, .tooLarge: .unusableInput
            case .missing: .missing
            case .unavailable: .unavailable
            case .bug: .bug
            case .cannotCreate: .cannotCreate
            case .inputOutput: .inputOutput
            case .permission: .permission
            case .configuration: .configuration
            case .usage: .usage
            case .budget: .budget
            case .conflict: .conflict
            }
    }

    /// The status of a run that a signal stopped.
    static func stopped(by signal: Int32?) -> ExitStatus { signal == SIGTERM ? .terminated : .interrupted }

    /// The status if output, such as the closing report, could not be written either. This counts only if
    /// everything else succeeded: it never hides another failure.
    func after(_ failure: CommandFailure) -> ExitStatus { self == .completed ? failure.status : self }

    /// The meaning, for the help.
    var meaning: String {
        switch self {
        case .completed: "Completed; `etl errors` lists rejected records, if there are any"
        case .rejected: "--strict was given, and records were rejected, or an export would lose values"
        case .budget: "An error budget (--max-errors) is exceeded; the job can be resumed"
        case .conflict: "Nothing was undone, because later jobs have built on the job"
        case .violated:
            "A job does not meet the expectations of its pipeline; it is kept unfinished or was undone"
        case .usage: "The command line is wrong"
        case .unusableInput: "The input is unusable as a whole, or has changed since the job started"
        case .missing: "An input, store, catalog or job does not exist, or is something else"
        case .unavailable: "A provider named with --require is missing or left records unanswered"
        case .bug: "A bug; please report it"
        case .cannotCreate: "Output cannot be created"
        case .inputOutput:
            "Reading or writing failed, for example because the disk is full; the job can be resumed"
        case .temporary:
            "Try again later: another run is using the store, the job was canceled, or a service's daily budget is spent; the job can be resumed"
        case .permission: "Permission denied"
        case .configuration:
            "A setting, the configuration or a pipeline definition is wrong, `etl doctor` found a problem, or `etl test` a difference"
        case .interrupted:
            "Stopped by SIGINT (Ctrl-C) after committing the batches in progress; the job can be resumed"
        case .terminated:
            "Stopped by SIGTERM after committing the batches in progress; the job can be resumed"
        }
    }
}
