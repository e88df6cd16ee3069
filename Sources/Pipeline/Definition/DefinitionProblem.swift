package import System

/// One problem of a pipeline definition: where it is, what is wrong, and what to do.
package struct DefinitionProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem. Raw values are stable, for scripts.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The file does not exist or cannot be read.
        case unreadable
        /// The user may not read the file.
        case forbidden
        /// The file is too large, or has too many values.
        case tooLarge = "too_large"
        /// The file is not UTF-8, or contains control characters.
        case encoding
        /// The file is not YAML.
        case syntax
        /// Unsupported YAML: directives, anchors, aliases, tags, several documents, keys that are not text.
        case unsupported
        /// Mappings and lists nested too deeply.
        case tooDeep = "too_deep"
        /// An environment variable without a default is not set.
        case unsetVariable = "unset_variable"
        /// A key appears twice in one mapping.
        case duplicateKey = "duplicate_key"
        /// An unknown key, setting or path.
        case unknownKey = "unknown_key"
        /// A required key is missing.
        case missingKey = "missing_key"
        /// A value of the wrong type, or one that cannot be parsed.
        case wrongValue = "wrong_value"
        /// A value of the right type outside its bounds.
        case outOfBounds = "out_of_bounds"
        /// Two steps have the same name.
        case duplicateName = "duplicate_name"
        /// No stage with this name is registered.
        case unknownStage = "unknown_stage"
        /// A stage is used in the wrong role, such as a sink as a source.
        case wrongRole = "wrong_role"
        /// A stage produces what the next one does not accept.
        case typeMismatch = "type_mismatch"
    }

    /// The kind of problem, for scripts.
    package let code: Code
    /// Position of the problem.
    package let origin: ValueOrigin
    /// The problem, in one sentence.
    package let message: String
    /// The remedy, in one sentence; nil if the message says enough.
    package let advice: String?

    /// A problem of some kind at `origin`.
    package init(_ code: Code, at origin: ValueOrigin, _ message: String, advice: String? = nil) {
        self.code = code
        self.origin = origin
        self.message = message
        self.advice = advice
    }

    /// `file:line:column: what is wrong. What to do.`
    package var description: String { sentence + (advice.map { " \($0)" } ?? "") }

    /// The problem, after the place. A file that cannot be read has no place, and its message names it.
    fileprivate var sentence: String {
        code == .unreadable || code == .forbidden ? message : "\(origin): \(message)"
    }
}

/// A file that is not a valid pipeline definition. Lists all problems that were found, so that the user can
/// fix them all at once.
package struct DefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// At least one problem, in the order of their origins.
    package let problems: [DefinitionProblem]
    /// The steps that could be read, so that they can be checked against a registry too.
    let steps: [StepDefinition]

    package init(_ problem: DefinitionProblem) {
        problems = [problem]
        steps = []
    }

    package init(_ problems: [DefinitionProblem], steps: [StepDefinition] = []) {
        self.problems = problems.sorted { $0.origin < $1.origin }
        self.steps = steps
    }

    /// One line per problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }

    /// The error as a runtime failure, with exit status 66 for an unreadable file, 77 if the user may not read it,
    /// else 78.
    package var failure: ETLError { ETLError(problems: problems) }
}

extension ETLError {
    /// A failure with the problems of a definition or plan.
    init(problems: [DefinitionProblem]) {
        let codes = Set(problems.map(\.code))
        let kind: Kind =
            codes.contains(.unreadable) ? .missing : codes.contains(.forbidden) ? .permission : .configuration
        let failures = problems.map {
            ETLError(kind, $0.sentence, advice: $0.advice.map { UserText($0) })
        }
        self = failures.first ?? ETLError(kind, "The definition is not valid.")
        further = Array(failures.dropFirst())
    }
}
