/// Lets tasks through one at a time, in the order in which they come.
public final class Turnstile: Sendable {
    private struct State: Sendable {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var head = 0
    }

    private let state = Guarded(State())

    /// Nobody is in it.
    public init() {}

    /// How many wait for their turn.
    package var waiting: Int { state.withLock { $0.waiting.count - $0.head } }

    /// Waits until it is free and takes it. Whoever was let in calls ``leave()``, come what may.
    public func enter() async {
        await withCheckedContinuation { waiter in
            let isFree = state.withLock { state in
                if state.isTaken {
                    state.waiting.append(waiter)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFree { waiter.resume() }
        }
    }

    /// Lets the next one in.
    public func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.head < state.waiting.count else {
                state = State()
                return nil
            }
            state.head += 1
            return state.waiting[state.head - 1]
        }
        next?.resume()
    }
}
