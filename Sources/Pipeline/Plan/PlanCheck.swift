/// Checks a definition against the registry and collects the problems.
struct PlanCheck {
    /// A step with a known factory of the right role.
    struct CheckedStep {
        let factory: StageFactory
        let settings: Settings
    }

    private let registry: StageRegistry
    private(set) var problems: [DefinitionProblem] = []

    init(_ registry: StageRegistry) { self.registry = registry }

    /// The settings of every registered provider, by name.
    mutating func providers(_ node: DefinitionNode?) -> [String: Settings] {
        if let node {
            var reader = MappingReader(node, "`providers`", keys: registry.providers.map(\.name))
            reader.refuseUnknownKeys()
            problems += reader.problems
        }
        var settings: [String: Settings] = [:]
        for provider in registry.providers {
            var reader = SettingsReader("provider `\(provider.name)`", specs: provider.settings)
            settings[provider.name] = reader.read(node?[provider.name])
            problems += reader.problems
        }
        return settings
    }

    /// Checks that the stages that configuration files name exist. A setting without effect would be worse than
    /// a run that does not start.
    mutating func checkConfigured(_ stages: [DefinitionNode.Entry]) {
        for stage in stages where registry[stage.key] == nil {
            problems.append(unknown(stage.key, at: stage.origin, fitting: registry.factories.map(\.name)))
        }
    }

    private func unknown(_ stage: String, at origin: ValueOrigin, fitting: [String]) -> DefinitionProblem {
        DefinitionProblem(
            .unknownStage, at: origin, "There is no stage \(DefinitionNode.quoted(stage)).",
            advice: Spelling.nearest(to: stage, among: registry.factories.map(\.name)).map {
                "Did you mean `\($0)`?"
            } ?? Spelling.advice(for: stage, among: fitting, called: "Available here"))
    }

    /// The factory and settings of a step. Returns nil and adds a problem if there is no such factory or it has
    /// the wrong role.
    mutating func step(_ step: StepDefinition, providers: [String: Settings]) -> CheckedStep? {
        guard let factory = registry[step.stage] else {
            let fitting = registry.factories.filter { $0.role == step.place.role }.map(\.name)
            problems.append(unknown(step.stage, at: step.origin, fitting: fitting))
            return nil
        }
        guard factory.role == step.place.role else {
            problems.append(
                DefinitionProblem(
                    .wrongRole, at: step.origin,
                    "`\(factory.name)` is a \(factory.role.rawValue) and cannot be \(step.place.words).",
                    advice: factory.role == .stage
                        ? "Move it under `stages:`." : "Move it to `\(factory.role.rawValue):`."))
            return nil
        }
        var reader = SettingsReader("`\(step.name)`", specs: factory.settings)
        let settings = reader.read(step.settings, at: step.origin)
        problems += reader.problems
        if factory.remembersRecords, let workers = step.parallelism[StepDefinition.workers], workers > 1 {
            problems.append(
                DefinitionProblem(
                    .outOfBounds,
                    at: step.parallelism.origin(of: StepDefinition.workers) ?? step.origin,
                    "`\(step.name)` depends on earlier records, so it has one worker, not \(workers).",
                    advice: "Remove `workers`."))
        }
        return CheckedStep(factory: factory, settings: settings.with(providers: providers))
    }

    /// Checks that each step accepts what the previous one produces. A step without a factory is skipped,
    /// because its types are unknown.
    mutating func checkTypes(_ steps: [StepDefinition], _ checked: [CheckedStep?]) {
        for index in steps.indices.dropFirst() {
            guard let before = checked[index - 1]?.factory, let after = checked[index]?.factory,
                let given = before.output, let taken = after.input,
                ObjectIdentifier(given) != ObjectIdentifier(taken)
            else { continue }
            problems.append(
                DefinitionProblem(
                    .typeMismatch, at: steps[index].origin,
                    "`\(steps[index].name)` takes “\(PayloadNames.words(taken))”, "
                        + "but `\(steps[index - 1].name)` before it produces “\(PayloadNames.words(given))”.",
                    advice: advice(from: given, to: taken)))
        }
    }

    private func advice(from given: any Payload.Type, to taken: any Payload.Type) -> String {
        guard let between = registry.path(from: given, to: taken) else {
            return "No stage converts “\(PayloadNames.words(given))” to “\(PayloadNames.words(taken))”."
        }
        let names = between.map { "`\($0.name)`" }.joined(separator: ", then ")
        return "Put \(names) between them."
    }
}

extension StepDefinition.Place {
    /// The role that a factory must have in this place.
    var role: StageFactory.Role {
        switch self {
        case .source: .source
        case .stage: .stage
        case .sink: .sink
        }
    }
}
