import Dispatch
import Foundation
import Pipeline

/// SIGINT and SIGTERM: the first asks the run to stop after the batch in hand, the second ends the process at once.
final class Signals: Sendable {
    private let sources: [any DispatchSourceSignal & Sendable]
    private let received: Guarded<Int32?>

    /// The signal that came, if one did.
    var signal: Int32? { received.withLock { $0 } }

    init(stop: StopSignal, told: @escaping @Sendable () -> Void) {
        let received = Guarded<Int32?>(nil)
        self.received = received
        let queue = DispatchQueue(label: "signals")
        sources = [SIGINT, SIGTERM].map { number in
            // Without this the default action would end the process before the source is asked.
            Foundation.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let isFirst = received.withLock { signal in
                    defer { signal = number }
                    return signal == nil
                }
                guard isFirst else { _exit(128 + number) }
                stop.raise()
                told()
            }
            source.resume()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }
}
