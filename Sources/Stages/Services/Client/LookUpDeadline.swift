import Pipeline

/// When a look-up over several requests has to be done: the batch's patience is for all of them.
struct LookUpDeadline {
    /// nil: no deadline.
    let instant: UInt64?

    init(_ tools: DeskTools) {
        switch tools.patience.patience {
        case .brief(let nanoseconds): instant = tools.clock.nanoseconds() + nanoseconds
        case .patient, .gapsOnly, .keptOnly: instant = nil
        }
    }
}
