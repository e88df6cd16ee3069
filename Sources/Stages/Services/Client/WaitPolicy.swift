import Pipeline

/// How long whoever asks a service waits for it.
package enum WaitPolicy: Sendable, Hashable {
    /// So many nanoseconds for a whole batch: what has not come by then is taken up by a later pass.
    case brief(UInt64)
    /// As long as the service's own pace takes.
    case patient
    /// As long as it takes, but only for what is not kept at all: what is kept does, however old.
    case gapsOnly
    /// Not at all: what is kept must do, however old, and nobody is asked.
    case cacheOnly

    /// Whether what is kept does, however old it is.
    var takesAnyAge: Bool { self == .gapsOnly || self == .cacheOnly }

    /// Design decision 4: two seconds a batch.
    package static let firstPass = WaitPolicy.brief(2_000_000_000)
}

/// The patience of a run, which all of its services look at: brief in the first pass over the input, patient in the
/// pass that takes up what is pending.
package final class SharedWaitPolicy: Sendable {
    private let value: Guarded<WaitPolicy>

    package init(_ waitPolicy: WaitPolicy) { value = Guarded(waitPolicy) }

    package var waitPolicy: WaitPolicy {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

/// When a look-up over several requests has to be done: the batch's patience is for all of them.
package struct LookupDeadline {
    /// nil: no deadline.
    package let instant: UInt64?

    package init(_ tools: ClientDependencies) {
        switch tools.waitPolicy.waitPolicy {
        case .brief(let nanoseconds): instant = tools.clock.nanoseconds() + nanoseconds
        case .patient, .gapsOnly, .cacheOnly: instant = nil
        }
    }
}
