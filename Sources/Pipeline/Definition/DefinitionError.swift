/// A file that is no pipeline definition. All that could be found in one reading is listed, so that a user
/// mends a file once, not line by line.
public struct DefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// At least one, in the order of their places.
    public let problems: [DefinitionProblem]
    /// The steps that could be read all the same: what a registry has to say of them can be told as well.
    let steps: [StepDefinition]

    package init(_ problem: DefinitionProblem) {
        problems = [problem]
        steps = []
    }

    package init(_ problems: [DefinitionProblem], steps: [StepDefinition] = []) {
        self.problems = problems.sorted { $0.origin < $1.origin }
        self.steps = steps
    }

    /// One line a problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    /// The same as the runtime's failure: a file that is not there is exit status 66, anything else 78.
    public var failure: StageFailure { StageFailure(problems: problems) }
}

extension StageFailure {
    /// The failure that problems of a definition or plan amount to.
    init(problems: [DefinitionProblem]) {
        let missing = problems.contains { $0.code == .unreadable }
        self.init(
            missing ? .missing : .configuration,
            problems.map(\.description).joined(separator: "\n"))
    }
}
