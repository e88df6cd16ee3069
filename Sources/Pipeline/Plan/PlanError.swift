/// A definition that the registered stages cannot run. All that is wrong is listed.
public struct PlanError: Error, Sendable, Hashable, CustomStringConvertible {
    /// At least one, in the order of their places.
    public let problems: [DefinitionProblem]

    init(_ problems: [DefinitionProblem]) { self.problems = problems.sorted { $0.origin < $1.origin } }

    /// One line a problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    /// The same as the runtime's failure: exit status 78.
    public var failure: StageFailure { StageFailure(problems: problems) }
}
