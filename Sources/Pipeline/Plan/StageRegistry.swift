/// The stages that pipeline files can use, and the providers whose settings they can set.
package struct StageRegistry: Sendable {
    /// In the order in which they are listed to the user.
    package let factories: [StageFactory]
    /// In the order in which they are listed to the user.
    package let providers: [ServiceSpec]
    private let byName: [String: StageFactory]

    /// - Parameters:
    ///   - factories: If two have the same name, the first is used.
    ///   - providers: The services whose settings definitions can set.
    package init(_ factories: [StageFactory], providers: [ServiceSpec] = []) {
        self.factories = factories
        self.providers = providers
        byName = Dictionary(factories.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The factory with a name.
    package subscript(name: String) -> StageFactory? { byName[name] }

    /// The shortest sequence of stages that converts one payload to another; nil if there is none, empty if
    /// no stage is needed.
    func path(from start: any Payload.Type, to goal: any Payload.Type) -> [StageFactory]? {
        let goalType = ObjectIdentifier(goal)
        guard ObjectIdentifier(start) != goalType else { return [] }
        var seen: Set = [ObjectIdentifier(start)]
        var paths: [(type: ObjectIdentifier, stages: [StageFactory])] = [(ObjectIdentifier(start), [])]
        var next = 0
        while next < paths.count {
            let (type, stages) = paths[next]
            next += 1
            for factory in factories {
                guard let input = factory.input, let output = factory.output, ObjectIdentifier(input) == type,
                    seen.insert(ObjectIdentifier(output)).inserted
                else { continue }
                if ObjectIdentifier(output) == goalType { return stages + [factory] }
                paths.append((ObjectIdentifier(output), stages + [factory]))
            }
        }
        return nil
    }
}

/// A service that stages use, and its settings. They are set once in a definition for all stages that use it.
package struct ServiceSpec: Sendable {
    /// Its name under `providers:`.
    package let name: String
    /// Description for the user, in one sentence.
    package let summary: String
    /// The settings it has.
    package let settings: [SettingSpec]

    /// Declares a provider. `name` is its name in definitions.
    package init(_ name: String, summary: String, settings: [SettingSpec]) {
        self.name = name
        self.summary = summary
        self.settings = settings
    }
}

extension DefinitionError {
    /// The error with additional problems that a ``Plan`` would find in the steps: their stages, settings and
    /// types.
    package func checked(by registry: StageRegistry) -> DefinitionError {
        var check = PlanCheck(registry)
        let providers = check.providers(nil)
        let checked = steps.map { check.step($0, providers: providers) }
        check.checkTypes(steps, checked)
        return DefinitionError(problems + check.problems)
    }
}
