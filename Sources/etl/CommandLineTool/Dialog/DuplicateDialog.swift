import Jobs
import Store

/// Decides which entries of one book are joined, group by group: `etl duplicates` on a terminal.
///
/// Nothing is joined before the user has seen all that he wants to see: the decisions become one job for each library, as
/// those of a list do, and `etl undo` takes it back.
struct DuplicateDialog: Dialog {
    typealias Effect = Never
    typealias Decision = DuplicateList.Decision

    /// A step that can be undone.
    private struct Step: Sendable {
        var place: Int
        var before: [(group: Int, state: State)]
    }

    /// A group's marks, and whether the user has decided about it.
    struct State: Sendable, Hashable {
        var marks: [Decision]
        /// Whether its entries are joined as marked; nil if the user has not decided.
        var isJoined: Bool?
    }

    let groups: [DuplicateList.Question]
    private(set) var states: [State]
    /// The group that is shown; their number if all are decided.
    private(set) var place = 0
    /// The entry of the group that is shown beside the one that stays.
    private(set) var member = 1
    private var steps: [Step] = []
    private(set) var message = ""
    private(set) var isOver = false
    /// Whether the user pressed Ctrl-C, so that nothing is joined.
    private(set) var isInterrupted = false

    /// - Parameter groups: Groups of two or more entries.
    init(_ groups: [DuplicateList.Question]) {
        self.groups = groups
        states = groups.map { State(marks: $0.decisions) }
    }

    /// What to join: the groups that the user joined, with their marks.
    var joined: [DuplicateList.Question] {
        zip(groups, states).compactMap { group, state in
            state.isJoined == true
                ? DuplicateList.Question(members: group.members, decisions: state.marks) : nil
        }
    }

    /// The number of groups without a decision.
    var open: Int { states.count { $0.isJoined == nil } }

    // MARK: Keys

    static let keys = KeyHints([
        "j": "join", "s": "keep apart", "u": "undo", "↑↓": "entry", "space": "mark", "k": "keep this one",
        "←→": "group", "J": "join all as proposed", "q": "finish", "Ctrl-C": "leave without joining",
    ])

    mutating func press(_ key: Key) -> Never? {
        message = ""
        switch key {
        case .character("j"), .character("a"), .enter: join()
        case .character("s"), .character("n"): decide([place], isJoined: false)
        case .character("J"), .character("A"): joinAll()
        case .character("u"), .backspace: undo()
        case .character(" "): mark()
        case .character("k"): keep()
        case .right, .character("l"): show(min(place + 1, groups.count))
        case .left, .character("h"), .character("p"): show(max(0, place - 1))
        case .up: choose(member - 1)
        case .down: choose(member + 1)
        case .interrupt: (isOver, isInterrupted) = (true, true)
        case .character("q"), .escape, .end: isOver = true
        case .character: break
        }
        return nil
    }

    private mutating func show(_ place: Int) { (self.place, member) = (place, 1) }

    private mutating func choose(_ number: Int) {
        if place < groups.count, groups[place].members.indices.contains(number) { member = number }
    }

    /// Changes the mark of the entry that is shown: joined or apart.
    private mutating func mark() {
        guard place < groups.count, states[place].marks[member] != .keep else { return }
        states[place].marks[member] = states[place].marks[member] == .join ? .leave : .join
        states[place].keepFirst()
    }

    /// Makes the entry that is shown the one that stays.
    private mutating func keep() {
        guard place < groups.count else { return }
        for index in states[place].marks.indices where states[place].marks[index] == .keep {
            states[place].marks[index] = .join
        }
        states[place].marks[member] = .keep
    }

    private mutating func join() {
        guard place < groups.count else { return }
        let before = states[place]
        // Without a proposal all entries of the group are meant.
        if !states[place].marks.contains(.join) {
            let kept = states[place].marks.firstIndex(of: .keep) ?? 0
            states[place].marks = states[place].marks.indices.map { $0 == kept ? .keep : .join }
        }
        decide([place], isJoined: true, before: [(place, before)])
    }

    /// Joins each open group for which that is proposed.
    private mutating func joinAll() {
        let chosen = groups.indices.filter {
            states[$0].isJoined == nil && states[$0].marks.contains(.join)
        }
        guard !chosen.isEmpty else {
            message = "No other group is certain enough to be joined unseen."
            return
        }
        decide(chosen, isJoined: true)
        message = "\(HumanText.count(chosen.count, "group")) to join; u undoes all of them."
    }

    private mutating func decide(
        _ chosen: [Int], isJoined: Bool, before: [(group: Int, state: State)]? = nil
    ) {
        guard chosen.allSatisfy(groups.indices.contains) else { return }
        steps.append(Step(place: place, before: before ?? chosen.map { ($0, states[$0]) }))
        for index in chosen { states[index].isJoined = isJoined }
        let order = Array(groups.indices.dropFirst(place + 1)) + Array(groups.indices.prefix(place + 1))
        show(order.first { states[$0].isJoined == nil } ?? groups.count)
    }

    private mutating func undo() {
        guard let step = steps.popLast() else {
            message = "There is nothing to undo here. `etl undo` takes back what was joined before."
            return
        }
        for (group, state) in step.before { states[group] = state }
        show(step.place)
        message = "Undone."
    }
}

extension DuplicateDialog.State {
    /// Lets the first marked entry stay if none does, and none if nothing is joined.
    fileprivate mutating func keepFirst() {
        let kept = marks.firstIndex(of: .keep)
        if !marks.contains(.join) {
            if let kept { marks[kept] = .leave }
        } else if kept == nil {
            marks[marks[0] == .join ? (marks.firstIndex(of: .leave) ?? 0) : 0] = .keep
        }
    }
}
