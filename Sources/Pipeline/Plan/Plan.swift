package import System

/// A definition that was checked against the registry and can be run.
///
/// Names, roles, settings and the types between the steps are correct. Nothing has been opened or made yet:
/// `etl check` stops here. ``flow()`` makes the steps. A ``Runner`` opens their existentials once, when it
/// creates the channels. From there on everything is typed, so batches have no cost of type erasure.
package struct Plan: Sendable {
    /// The definition that was checked.
    package let definition: PipelineDefinition
    /// The source.
    package let source: PlannedSource
    /// The stages in the order of the dataflow.
    package let stages: [PlannedStage]
    /// The sink.
    package let sink: PlannedSink
    /// The settings of the providers by name, from which clients are made.
    package let providers: [String: Settings]

    /// Checks a definition.
    package init(_ definition: PipelineDefinition, registry: StageRegistry) throws(PlanError) {
        var check = PlanCheck(registry)
        let providers = check.providers(definition.providers)
        let steps = definition.steps.map { check.step($0, providers: providers) }
        check.checkConfigured(definition.configuredStages)
        check.checkTypes(definition.steps, steps)

        var source: PlannedSource?
        var stages: [PlannedStage] = []
        var sink: PlannedSink?
        for (step, checked) in zip(definition.steps, steps) {
            guard let checked else { continue }
            let settings = checked.settings
            switch checked.factory.make {
            case .source(let closure):
                source = PlannedSource(
                    name: step.name, factory: checked.factory, settings: settings, closure: closure)
            case .stage(let closure):
                stages.append(
                    PlannedStage(
                        name: step.name, factory: checked.factory, settings: settings,
                        workers: step.parallelism[StepDefinition.workers] ?? checked.factory.workers,
                        capacity: step.parallelism[StepDefinition.capacity], closure: closure))
            case .sink(let closure):
                sink = PlannedSink(
                    name: step.name, factory: checked.factory, settings: settings, closure: closure)
            }
        }
        // If there is no source or sink of the right role, there is a problem.
        guard check.problems.isEmpty, let source, let sink else { throw PlanError(check.problems) }
        self.definition = definition
        self.source = source
        self.stages = stages
        self.sink = sink
        self.providers = providers
    }

    /// Makes the stages.
    package func flow() throws(ETLError) -> Flow {
        var runs: [Flow.StageRun] = []
        let source = try source.make()
        for stage in stages {
            runs.append(
                Flow.StageRun(
                    name: stage.name, stage: try stage.make(), workers: stage.workers,
                    capacity: stage.capacity))
        }
        return Flow(
            sourceName: self.source.name, source: source, stages: runs, sinkName: sink.name,
            sink: try sink.make(),
            window: definition.run[PipelineDefinition.window],
            bytesBeforeStage: definition.run[PipelineDefinition.waitingBytes])
    }

    /// Total number of attempts for a batch if failures are transient, including the first.
    package var attempts: Int { definition.run[PipelineDefinition.attempts] }

    /// All effective values with their origins, in the order of the definition.
    package var configuration: [EffectiveValue] {
        var values = definition.heading
        values += step("source", definition.source, source.factory, source.settings)
        for (step, planned) in zip(definition.stages, stages) {
            values += self.step("stages.\(step.name)", step, planned.factory, planned.settings)
        }
        values += step("sink", definition.sink, sink.factory, sink.settings)
        for (name, settings) in providers.sorted(by: { $0.key < $1.key }) {
            values += settings.effective(under: "providers.\(name)")
        }
        return values + definition.run.effective(under: "run")
    }

    private func step(
        _ path: String, _ step: StepDefinition, _ factory: StageFactory, _ settings: Settings
    ) -> [EffectiveValue] {
        let stage = EffectiveValue(path: "\(path).stage", value: step.stage, origin: step.origin)
        let parallelism = step.parallelism.effective(under: path).map { value in
            // The default of `workers` is the factory's.
            value.path == "\(path).workers" && value.origin == .builtIn
                ? EffectiveValue(path: value.path, value: "\(factory.workers)", origin: .builtIn) : value
        }
        return [stage] + parallelism + settings.effective(under: "\(path).settings")
    }
}

/// A definition that the registered stages cannot run. Lists all problems.
package struct PlanError: Error, Sendable, Hashable, CustomStringConvertible {
    /// At least one problem, in the order of their origins.
    package let problems: [DefinitionProblem]

    init(_ problems: [DefinitionProblem]) { self.problems = problems.sorted { $0.origin < $1.origin } }

    /// One line per problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }

    /// The error as a runtime failure, with exit status 78.
    package var failure: ETLError { ETLError(problems: problems) }
}

/// The sink of a plan, not made yet. It accepts what the step before it produces.
package struct PlannedSink: Sendable {
    /// The step's name in messages and counts.
    package let name: String
    /// Factory of the step.
    package let factory: StageFactory
    /// Its settings, checked; missing ones have their defaults.
    package let settings: Settings
    let closure: @Sendable (Settings) throws(ETLError) -> any Sink

    /// Makes it.
    package func make() throws(ETLError) -> any Sink { try closure(settings) }
}

/// The source of a plan, not made yet.
package struct PlannedSource: Sendable {
    /// The step's name in messages and counts.
    package let name: String
    /// Factory of the step.
    package let factory: StageFactory
    /// Its settings, checked; missing ones have their defaults.
    package let settings: Settings
    let closure: @Sendable (Settings) throws(ETLError) -> any Source

    /// Makes it.
    package func make() throws(ETLError) -> any Source { try closure(settings) }
}

/// A stage of a plan, not made yet. It accepts what the step before it produces.
package struct PlannedStage: Sendable {
    /// The step's name in messages and counts.
    package let name: String
    /// Factory of the step.
    package let factory: StageFactory
    /// Its settings, checked; missing ones have their defaults.
    package let settings: Settings
    /// Number of batches processed at the same time, at least 1.
    package let workers: Int
    /// Maximum number of batches waiting before the stage, at least 1.
    package let capacity: Int
    let closure: @Sendable (Settings) throws(ETLError) -> any Stage

    /// Makes it.
    package func make() throws(ETLError) -> any Stage { try closure(settings) }
}
