/// A definition that was checked against the registry: it can be run.
///
/// Names, roles, settings and the types between the steps are right. Nothing has been opened or made yet:
/// `etl check` stops here. ``flow()`` makes the steps, and a ``Runner`` opens their existentials once, when
/// it lays the channels: from there on the chain is typed, and no batch pays for erasure.
public struct Plan: Sendable {
    /// What was checked.
    public let definition: PipelineDefinition
    /// The step that reads.
    public let source: PlannedSource
    /// In the order of the dataflow.
    public let stages: [PlannedStage]
    /// The step that commits.
    public let sink: PlannedSink
    /// Settings of the providers, by name, for whoever makes clients of them.
    public let providers: [String: Settings]

    /// Checks a definition.
    public init(_ definition: PipelineDefinition, registry: StageRegistry) throws(PlanError) {
        var check = PlanCheck(registry)
        let providers = check.providers(definition.providers)
        let steps = definition.steps.map { check.step($0, providers: providers) }
        check.joints(definition.steps, steps)

        var source: PlannedSource?
        var stages: [PlannedStage] = []
        var sink: PlannedSink?
        for (step, checked) in zip(definition.steps, steps) {
            guard let checked else { continue }
            let settings = checked.settings
            switch checked.recipe.factory {
            case .source(let factory):
                source = PlannedSource(
                    name: step.name, recipe: checked.recipe, settings: settings, factory: factory)
            case .stage(let factory):
                stages.append(
                    PlannedStage(
                        name: step.name, recipe: checked.recipe, settings: settings,
                        workers: step.pace[StepDefinition.workers] ?? checked.recipe.workers,
                        capacity: step.pace[StepDefinition.capacity], factory: factory))
            case .sink(let factory):
                sink = PlannedSink(
                    name: step.name, recipe: checked.recipe, settings: settings, factory: factory)
            }
        }
        // Without a source or a sink of the right role there is a problem.
        guard check.problems.isEmpty, let source, let sink else { throw PlanError(check.problems) }
        self.definition = definition
        self.source = source
        self.stages = stages
        self.sink = sink
        self.providers = providers
    }

    /// Makes the steps.
    public func flow() throws(StageFailure) -> Flow {
        var steps: [Flow.Step] = []
        let source = try source.make()
        for stage in stages {
            steps.append(
                Flow.Step(
                    name: stage.name, stage: try stage.make(), workers: stage.workers,
                    capacity: stage.capacity))
        }
        return Flow(
            sourceName: self.source.name, source: source, steps: steps, sinkName: sink.name,
            sink: try sink.make(),
            window: definition.run[PipelineDefinition.window],
            bytesBeforeStage: definition.run[PipelineDefinition.waitingBytes])
    }

    /// Tries of a batch, the first included, when a failure is transient.
    public var attempts: Int { definition.run[PipelineDefinition.attempts] }

    /// All that the run goes by and who said so, in the order of the definition.
    public var configuration: [EffectiveValue] {
        var values = definition.heading
        values += step("source", definition.source, source.recipe, source.settings)
        for (step, planned) in zip(definition.stages, stages) {
            values += self.step("stages.\(step.name)", step, planned.recipe, planned.settings)
        }
        values += step("sink", definition.sink, sink.recipe, sink.settings)
        for (name, settings) in providers.sorted(by: { $0.key < $1.key }) {
            values += settings.effective(under: "providers.\(name)")
        }
        return values + definition.run.effective(under: "run")
    }

    private func step(
        _ path: String, _ step: StepDefinition, _ recipe: StageRecipe, _ settings: Settings
    ) -> [EffectiveValue] {
        let stage = EffectiveValue(path: "\(path).stage", value: step.stage, origin: step.origin)
        let pace = step.pace.effective(under: path).map { value in
            // A stage brings its own default of workers.
            value.path == "\(path).workers" && value.origin == .builtIn
                ? EffectiveValue(path: value.path, value: "\(recipe.workers)", origin: .builtIn) : value
        }
        return [stage] + pace + settings.effective(under: "\(path).settings")
    }
}
