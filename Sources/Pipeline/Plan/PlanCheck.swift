/// Looks at a definition with the registry beside it and collects what does not fit.
struct PlanCheck {
    /// A step whose recipe is known and stands in the right place.
    struct CheckedStep {
        let recipe: StageRecipe
        let settings: Settings
    }

    private let registry: StageRegistry
    private(set) var problems: [DefinitionProblem] = []

    init(_ registry: StageRegistry) { self.registry = registry }

    /// Every registered provider with its settings.
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

    /// The recipe and settings of a step; nil, and a problem, when it has none that fits its place.
    mutating func step(_ step: StepDefinition, providers: [String: Settings]) -> CheckedStep? {
        guard let recipe = registry[step.stage] else {
            let fitting = registry.recipes.filter { $0.role == step.place.role }.map(\.name)
            problems.append(
                DefinitionProblem(
                    .unknownStage, at: step.origin, "There is no stage \(DefinitionNode.quoted(step.stage)).",
                    advice: Spelling.nearest(to: step.stage, among: registry.recipes.map(\.name)).map {
                        "Did you mean `\($0)`?"
                    } ?? Spelling.advice(for: step.stage, among: fitting, called: "What can stand here")))
            return nil
        }
        guard recipe.role == step.place.role else {
            problems.append(
                DefinitionProblem(
                    .wrongRole, at: step.origin,
                    "`\(recipe.name)` is a \(recipe.role.rawValue) and cannot stand as \(step.place.words).",
                    advice: recipe.role == .stage
                        ? "Move it under `stages:`." : "Move it to `\(recipe.role.rawValue):`."))
            return nil
        }
        var reader = SettingsReader("`\(step.name)`", specs: recipe.settings)
        let settings = reader.read(step.settings)
        problems += reader.problems
        return CheckedStep(recipe: recipe, settings: settings.with(providers: providers))
    }

    /// Checks that each step takes what the one before it gives. A step without recipe is passed over: its
    /// neighbours cannot be judged by it.
    mutating func joints(_ steps: [StepDefinition], _ checked: [CheckedStep?]) {
        for index in steps.indices.dropFirst() {
            guard let before = checked[index - 1]?.recipe, let after = checked[index]?.recipe,
                let given = before.output, let taken = after.input,
                ObjectIdentifier(given) != ObjectIdentifier(taken)
            else { continue }
            problems.append(
                DefinitionProblem(
                    .typeMismatch, at: steps[index].origin,
                    "`\(steps[index].name)` takes \(PayloadNames.words(taken)), "
                        + "but `\(steps[index - 1].name)` before it gives \(PayloadNames.words(given)).",
                    advice: advice(from: given, to: taken)))
        }
    }

    private func advice(from given: any Payload.Type, to taken: any Payload.Type) -> String {
        guard let between = registry.path(from: given, to: taken) else {
            return "No registered stage turns \(PayloadNames.words(given)) into \(PayloadNames.words(taken))."
        }
        let names = between.map { "`\($0.name)`" }.joined(separator: ", then ")
        return "Put \(names) between them."
    }
}

extension StepDefinition.Place {
    /// The role a recipe must have to stand here.
    var role: StageRecipe.Role {
        switch self {
        case .source: .source
        case .stage: .stage
        case .sink: .sink
        }
    }
}
