package import Syntax

/// What an import would ask of one service, and what that costs.
package struct ServiceForecast: Sendable, Hashable {
    /// The service's name.
    package var name: String
    /// Different questions, and of these the ones whose answers are kept and good.
    package var questions = 0
    package var kept = 0
    /// Requests: as many as are known to be needed, and as many as it may come to where each book leads to a work, its
    /// authors, or a second question by title.
    package var calls = 0...0
    /// Seconds that the requests take at the service's rate.
    package var seconds = 0.0...0.0
    /// Of the day's budget: what the requests cost at the most, what it is, and what is left of it today. nil where there
    /// is no budget.
    package var cost: Int?
    package var budget: Int?
    package var left: Int?

    package init(name: String) { self.name = name }

    /// Days that the budget takes, today's rest included; nil without one.
    package var days: Int? {
        guard let cost, let budget, let left, budget > 0 else { return nil }
        return cost <= left ? 1 : 1 + (cost - left + budget - 1) / budget
    }
}

extension ServiceForecast: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("name", name)
            out.field("questions", questions)
            out.field("kept", kept)
            out.field("callsAtLeast", calls.lowerBound)
            out.field("callsAtMost", calls.upperBound)
            out.field("secondsAtLeast", seconds.lowerBound)
            out.field("secondsAtMost", seconds.upperBound)
            out.field("cost", cost)
            out.field("dailyBudget", budget)
            out.field("leftToday", left)
            out.field("days", days)
        }
    }
}
