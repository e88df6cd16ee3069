/// The stages that pipeline files can name, and the providers whose settings they can give.
public struct StageRegistry: Sendable {
    /// In the order in which they are listed to the user.
    public let recipes: [StageRecipe]
    /// In the order in which they are listed to the user.
    public let providers: [ProviderSettings]
    private let byName: [String: StageRecipe]

    /// - Parameters:
    ///   - recipes: Of two with one name the first stands.
    ///   - providers: The services whose settings definitions may give.
    public init(_ recipes: [StageRecipe], providers: [ProviderSettings] = []) {
        self.recipes = recipes
        self.providers = providers
        byName = Dictionary(recipes.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The recipe of a name.
    public subscript(name: String) -> StageRecipe? { byName[name] }

    /// The fewest stages that turn one payload into another, in their order; nil when none do, empty when
    /// none are needed.
    func path(from start: any Payload.Type, to goal: any Payload.Type) -> [StageRecipe]? {
        let goalType = ObjectIdentifier(goal)
        guard ObjectIdentifier(start) != goalType else { return [] }
        var seen: Set = [ObjectIdentifier(start)]
        var paths: [(type: ObjectIdentifier, stages: [StageRecipe])] = [(ObjectIdentifier(start), [])]
        var next = 0
        while next < paths.count {
            let (type, stages) = paths[next]
            next += 1
            for recipe in recipes {
                guard let input = recipe.input, let output = recipe.output, ObjectIdentifier(input) == type,
                    seen.insert(ObjectIdentifier(output)).inserted
                else { continue }
                if ObjectIdentifier(output) == goalType { return stages + [recipe] }
                paths.append((ObjectIdentifier(output), stages + [recipe]))
            }
        }
        return nil
    }
}

/// A service that stages ask, and its settings, which stand once in a definition however many stages ask it.
public struct ProviderSettings: Sendable {
    /// Its name under `providers:`.
    public let name: String
    /// What it is, in one sentence for the user.
    public let summary: String
    /// The settings it takes.
    public let settings: [SettingSpec]

    /// Declares a provider under the name that definitions use.
    public init(_ name: String, summary: String, settings: [SettingSpec]) {
        self.name = name
        self.summary = summary
        self.settings = settings
    }
}

extension DefinitionError {
    /// The same with what is wrong with the steps' names, settings and joints: what a ``Plan`` would find next.
    package func judged(by registry: StageRegistry) -> DefinitionError {
        var check = PlanCheck(registry)
        let providers = check.providers(nil)
        let checked = steps.map { check.step($0, providers: providers) }
        check.joints(steps, checked)
        return DefinitionError(problems + check.problems)
    }
}
