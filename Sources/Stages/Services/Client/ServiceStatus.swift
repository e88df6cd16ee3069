/// How a service stands while a run waits for it.
package struct ServiceStatus: Sendable, Hashable {
    /// The service's name.
    package var service: String
    /// Answers that are still to come.
    package var open: Int
    /// Milliseconds since 1970 until which it is left alone; nil while it is asked.
    package var pausedUntil: Int64?
    /// Seconds that what is open takes at the service's rate, at the least.
    package var secondsLeft: Double

    package init(service: String, open: Int, pausedUntil: Int64?, secondsLeft: Double) {
        self.service = service
        self.open = open
        self.pausedUntil = pausedUntil
        self.secondsLeft = secondsLeft
    }
}
