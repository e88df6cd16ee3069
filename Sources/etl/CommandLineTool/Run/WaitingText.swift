import Contract
import Services

/// The services that a run waits for, for the progress line: `openlibrary (34 answers, paused until
/// 12:04:31Z)`.
enum WaitingText {
    /// The services, the longest wait first; nil if there are none.
    ///
    /// - Parameter secondsLeft: Expected duration of all services; nil if unknown.
    static func of(_ services: [ServiceStatus], secondsLeft: Double? = nil) -> String? {
        guard !services.isEmpty else { return nil }
        let names = services.sorted { ($1.secondsLeft, $0.service) < ($0.secondsLeft, $1.service) }
            .map { service in
                var words = HumanText.count(service.open, "answer")
                if let until = service.pausedUntil {
                    words += ", paused until \(Timestamp.withoutFraction(until).dropFirst(11))"
                } else if service.secondsLeft >= 1 {
                    words += ", \(HumanText.duration(seconds: service.secondsLeft))"
                }
                return "\(service.service) (\(words))"
            }
            .joined(separator: ", ")
        guard let secondsLeft, secondsLeft >= 1 else { return names }
        return "\(names), about \(HumanText.duration(seconds: secondsLeft)) left"
    }
}
