import Pipeline

/// When a look-up over several requests has to be done: the batch's patience is for all of them.
package struct LookupDeadline {
    /// nil: no deadline.
    package let instant: UInt64?

    package init(_ tools: ClientDependencies) {
        switch tools.patience.patience {
        case .brief(let nanoseconds): instant = tools.clock.nanoseconds() + nanoseconds
        case .patient, .gapsOnly, .keptOnly: instant = nil
        }
    }
}
