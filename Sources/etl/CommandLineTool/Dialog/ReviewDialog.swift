import Books
import Store

/// Decides the uncertain matches of a job, one after the other: `etl review` on a terminal.
///
/// Records with one title and author share a decision, as in ``Reviews``. Each decision is an effect at once, so that a
/// closed terminal loses none, and so is its undo.
struct ReviewDialog: Dialog {
    /// Decisions to store.
    typealias Effect = [ReviewDecision]
    typealias Decision = MatchDecisions.Decision

    /// A step that can be undone.
    private struct Step: Sendable {
        var place: Int
        /// The records it decided, with the decisions that they had.
        var before: [(review: Int, decision: Decision?)]
    }

    /// The records, in the order of the job's input.
    let reviews: [Review]
    /// The record that is shown; their number if all are decided.
    private(set) var place = 0
    /// The candidate that is shown.
    private(set) var choice = 0
    /// Decisions by ``Review/key``.
    private var decisions: [String: Decision] = [:]
    private var steps: [Step] = []
    private(set) var message = ""
    private(set) var isOver = false
    /// Whether the user pressed Ctrl-C.
    private(set) var isInterrupted = false

    init(_ reviews: [Review]) {
        self.reviews = reviews
        for review in reviews { decisions[review.key] = review.decision }
        place = nextOpen(from: 0)
    }

    /// The record that is shown; nil if all are decided.
    var review: Review? { place < reviews.count ? reviews[place] : nil }

    /// The decision about a record.
    func decision(about review: Review) -> Decision? { decisions[review.key] }

    /// The number of accepted matches, and of records left without a match, in this session.
    var counts: (accepted: Int, refused: Int) {
        let decided = Set(steps.flatMap(\.before).map(\.review)).map { decisions[reviews[$0].key] }
        let refused = decided.count { $0 == .refused }
        return (decided.count { $0 != nil } - refused, refused)
    }

    /// The number of records without a decision.
    var open: Int { reviews.count { decisions[$0.key] == nil } }

    // MARK: Keys

    static let keys = KeyHints([
        "a": "accept", "r": "none is right", "s": "skip", "u": "undo", "↑↓ 1-9": "candidate", "←→": "record",
        "A": "accept all as certain as this", "q": "quit",
    ])

    mutating func press(_ key: Key) -> [ReviewDecision]? {
        message = ""
        switch key {
        case .character("a"), .enter: return accept()
        case .character("r"), .character("n"): return refuse()
        case .character("A"): return acceptAll()
        case .character("u"), .backspace: return undo()
        case .character("s"), .character(" "), .right, .character("l"): show(min(place + 1, reviews.count))
        case .left, .character("h"), .character("p"): show(max(0, place - 1))
        case .up, .character("k"): choose(choice - 1)
        case .down, .character("j"): choose(choice + 1)
        case .character(let digit):
            if let number = digit.wholeNumberValue, number > 0 { choose(number - 1) }
            if digit == "q" { isOver = true }
        case .interrupt: (isOver, isInterrupted) = (true, true)
        case .escape, .end: isOver = true
        }
        return nil
    }

    private mutating func show(_ place: Int) { (self.place, choice) = (place, 0) }

    private mutating func choose(_ number: Int) {
        if let review, review.options.indices.contains(number) { choice = number }
    }

    private mutating func accept() -> [ReviewDecision]? {
        guard let review, review.options.indices.contains(choice) else { return nil }
        guard let decision = review.options[choice].acceptance else {
            message = "This candidate can no longer be chosen."
            return nil
        }
        return decide([(place, decision)])
    }

    private mutating func refuse() -> [ReviewDecision]? {
        review == nil ? nil : decide([(place, .refused)])
    }

    /// Accepts the best candidate of each open record that has one, if its score is not below that of the one shown.
    private mutating func acceptAll() -> [ReviewDecision]? {
        guard let review, let least = review.options.first?.score else { return nil }
        var (chosen, keys): ([(Int, Decision)], Set<String>) = ([], [])
        for (index, review) in reviews.enumerated() where decisions[review.key] == nil {
            guard let best = review.best, best.score >= least,
                let decision = best.acceptance, keys.insert(review.key).inserted
            else { continue }
            chosen.append((index, decision))
        }
        guard !chosen.isEmpty else {
            message = "No record has a single best candidate that is as certain as this."
            return nil
        }
        let decided = decide(chosen)
        message =
            "Accepted the best candidate of \(HumanText.count(chosen.count, "record")); u undoes all of them."
        return decided
    }

    /// Makes decisions, and shows the next open record.
    private mutating func decide(_ chosen: [(review: Int, decision: Decision)]) -> [ReviewDecision] {
        steps.append(
            Step(place: place, before: chosen.map { ($0.review, decisions[reviews[$0.review].key]) }))
        for (index, decision) in chosen { decisions[reviews[index].key] = decision }
        show(nextOpen(from: place + 1))
        return chosen.map { ReviewDecision(reviews[$0.review], $0.decision) }
    }

    /// Takes the last step back. An earlier decision is restored.
    private mutating func undo() -> [ReviewDecision]? {
        guard let step = steps.popLast() else {
            message = "There is nothing to undo here. To undo earlier decisions: `etl review --decided`."
            return nil
        }
        for (index, decision) in step.before { decisions[reviews[index].key] = decision }
        show(step.place)
        message = "Undone."
        return step.before.map { ReviewDecision(reviews[$0.review], decisions[reviews[$0.review].key]) }
    }

    /// The next record without a decision, from a place on and then from the start.
    private func nextOpen(from start: Int) -> Int {
        let order = Array(reviews.indices.dropFirst(start)) + Array(reviews.indices.prefix(start))
        return order.first { decisions[reviews[$0].key] == nil } ?? reviews.count
    }
}
