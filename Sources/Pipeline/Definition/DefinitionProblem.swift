/// One thing that is wrong with a pipeline definition: where, what, and what to do about it.
public struct DefinitionProblem: Sendable, Hashable, CustomStringConvertible {
    /// What kind of mistake it is. Raw values are stable: scripts match on them.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The file does not exist or cannot be read.
        case unreadable
        /// The file is larger than a definition can be.
        case tooLarge = "too_large"
        /// The file is not UTF-8, or holds control characters.
        case encoding
        /// The file is not YAML.
        case syntax
        /// YAML that definitions do without: anchors, aliases, tags, several documents, keys that are not
        /// text.
        case unsupported
        /// Mappings and lists nested too deeply.
        case tooDeep = "too_deep"
        /// A key stands twice in one mapping.
        case duplicateKey = "duplicate_key"
        /// A key, setting or path that nothing reads.
        case unknownKey = "unknown_key"
        /// A key that must be there is not.
        case missingKey = "missing_key"
        /// A value of the wrong type, or one that cannot be read.
        case wrongValue = "wrong_value"
        /// A value of the right type outside its bounds.
        case outOfBounds = "out_of_bounds"
        /// Two steps of the same name.
        case duplicateName = "duplicate_name"
        /// No stage of that name is registered.
        case unknownStage = "unknown_stage"
        /// A stage in a place for another kind of stage.
        case wrongRole = "wrong_role"
        /// A stage gives what the next one does not take.
        case typeMismatch = "type_mismatch"
    }

    /// The kind of mistake, for scripts.
    public let code: Code
    /// Where the mistake stands.
    public let origin: ValueOrigin
    /// What is wrong, in one sentence.
    public let message: String
    /// What to do, in one sentence, where there is something better to say than the message itself.
    public let advice: String?

    /// A mistake of some kind, found where `origin` says.
    public init(_ code: Code, at origin: ValueOrigin, _ message: String, advice: String? = nil) {
        self.code = code
        self.origin = origin
        self.message = message
        self.advice = advice
    }

    /// `file:line:column: what is wrong. What to do.`
    public var description: String {
        "\(origin): \(message)" + (advice.map { " \($0)" } ?? "")
    }
}

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
