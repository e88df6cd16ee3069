/// A pipeline as its file defines it: its stages, their order and their settings.
///
/// ```yaml
/// name: csv_import                  # required: letters, digits, . _ -
/// description: Imports a library export.
/// contract: csv_import              # pipeline name in messages to clients; default: name
/// source:                           # required: where records come from
///   stage: ReadLibrary
///   settings:
///     format: auto
///     batch: { records: 512, bytes: 1MiB }
/// stages:                           # in the order of the dataflow; may be empty
///   - stage: ValidateISBN
///   - stage: LookUpBooks
///     name: lookup                  # in messages and --set; default: the stage's name
///     workers: 2                    # batches processed at once; default: depends on the stage
///     capacity: 4                   # batches that may wait before it
///     settings: { providers: [catalog] }
/// sink:                             # required: where results go
///   stage: WriteResults
/// providers:                        # settings of services, for all stages that use them
///   openlibrary: { baseURL: "http://127.0.0.1:9000" }
/// run:
///   window: 16                      # batches between source and sink
///   waitingBytes: 8MiB              # bytes that may wait before one stage
///   attempts: 3                     # attempts per batch after transient failures
/// ```
/// `etl stages` lists the settings of stages and providers. Unknown keys are errors, because a setting
/// without effect is worse than a run that does not start.
package struct PipelineDefinition: Sendable, Hashable {
    /// Maximum number of batches between source and sink.
    package static let window = Setting.integer(
        "window", default: 16, in: 1...4_096,
        "Maximum number of batches between source and sink. Bounds memory use.")
    /// Maximum number of bytes waiting before one stage.
    package static let waitingBytes = Setting.bytes(
        "waitingBytes", default: 8 << 20, in: 64 << 10...1 << 30,
        "Maximum size of the batches waiting before one stage. Bounds memory use if records are large.")
    /// Total number of attempts for a batch, including the first.
    package static let attempts = Setting.integer(
        "attempts", default: 3, in: 1...100,
        "Number of attempts for a batch, including the first, if failures are transient.")
    /// The settings of `run:`, for documentation.
    package static let runSettings = [window.spec, waitingBytes.spec, attempts.spec]

    static let keys = ["name", "description", "contract", "source", "stages", "sink", "providers", "run"]

    /// The pipeline's name: letters, digits, `.`, `_`, `-`; at most 64.
    package let name: String
    /// The author's description of the pipeline.
    package let description: String?
    /// The pipeline's name in messages to clients.
    package let contract: String
    /// The source.
    package let source: StepDefinition
    /// The stages in the order of the dataflow.
    package let stages: [StepDefinition]
    /// The sink.
    package let sink: StepDefinition
    /// The settings of `run:`.
    package let run: Settings
    /// The text it was read from; nil if it was not read by ``DefinitionFile``.
    package internal(set) var definitionSource: DefinitionSource?
    /// The stages that configuration files have settings for, whether or not the pipeline has them.
    var configuredStages: [DefinitionNode.Entry] = []
    /// The value of `providers:`, which is checked when a plan is made.
    let providers: DefinitionNode?
    /// Name and contract with their origins.
    let heading: [EffectiveValue]

    /// All steps in the order of the dataflow.
    package var steps: [StepDefinition] { [source] + stages + [sink] }

    /// Reads a definition from its parsed YAML.
    package init(_ root: DefinitionNode) throws(DefinitionError) {
        var problems: [DefinitionProblem] = []
        var reader = MappingReader(root, "a pipeline definition", keys: Self.keys)
        reader.refuseUnknownKeys()
        reader.demand("name", example: "name: my_pipeline")
        reader.demand("source", example: "source: { stage: … }")
        reader.demand("sink", example: "sink: { stage: … }")
        let name = reader.name("name", signs: "._-")
        let description = reader.text("description")
        let contract = reader.name("contract", signs: "._-")
        let source = reader.node("source").flatMap { StepDefinition($0, .source, problems: &problems) }
        let stages = reader.items("stages").compactMap { StepDefinition($0, .stage, problems: &problems) }
        let sink = reader.node("sink").flatMap { StepDefinition($0, .sink, problems: &problems) }
        var run = SettingsReader("`run`", specs: Self.runSettings)
        self.run = run.read(reader.node("run"))
        problems += reader.problems + run.problems
        let steps = [source].compactMap(\.self) + stages + [sink].compactMap(\.self)
        problems += Self.repeatedNames(steps)
        // If name, source or sink is missing, there is a problem already.
        guard problems.isEmpty, let name, let source, let sink else {
            throw DefinitionError(problems, steps: steps)
        }
        self.name = name.text
        self.description = description?.text
        self.contract = contract?.text ?? name.text
        self.source = source
        self.stages = stages
        self.sink = sink
        providers = reader.node("providers")
        heading = [
            EffectiveValue(path: "name", value: name.text, origin: name.origin),
            EffectiveValue(path: "contract", value: self.contract, origin: contract?.origin ?? .builtIn),
        ]
    }

    private static func repeatedNames(_ steps: [StepDefinition]) -> [DefinitionProblem] {
        var seen: Set<String> = []
        return steps.filter { !seen.insert($0.name).inserted }.map { step in
            DefinitionProblem(
                .duplicateName, at: step.origin, "Two stages are named `\(step.name)`.",
                advice: "Give one of them another `name:`.")
        }
    }
}

/// One step of a definition: a stage, its place and how to run it. Its settings are checked when a plan is
/// made, because only the registry knows them.
package struct StepDefinition: Sendable, Hashable {
    /// Section of the file with the step, which determines the step's role.
    package enum Place: Sendable, Hashable {
        case source, stage, sink

        /// The keys of such a step. A source reads and a sink commits in order, so neither has workers. The
        /// number of batches waiting before the sink is bounded by the window.
        var keys: [String] {
            switch self {
            case .source: ["stage", "name", "settings"]
            case .stage: ["stage", "name", "workers", "capacity", "settings"]
            case .sink: ["stage", "name", "settings"]
            }
        }

        var words: String {
            switch self {
            case .source: "the source"
            case .stage: "a stage"
            case .sink: "the sink"
            }
        }
    }

    /// Number of workers: tasks that share the stage's batches.
    static let workers = Setting<Int?>.integer(
        "workers", in: 1...256, "Number of batches that the stage processes at once.")
    /// Maximum number of batches waiting before the stage.
    static let capacity = Setting.integer(
        "capacity", default: 4, in: 1...1_024,
        "Maximum number of batches waiting before the stage. If it is reached, the stage before it waits.")

    /// Whether it is under `source:`, `stages:` or `sink:`.
    package let place: Place
    /// The registered stage's name.
    package let stage: String
    /// The step's name in messages, counts and `--set`. By default, the stage's name.
    package let name: String
    /// Position of the stage's name.
    package let origin: ValueOrigin
    /// Workers and capacity of a stage.
    let parallelism: Settings
    /// The value of `settings:`.
    let settings: DefinitionNode?

    /// Reads a step.
    init?(_ node: DefinitionNode, _ place: Place, problems: inout [DefinitionProblem]) {
        var reader = MappingReader(node, place.words, keys: place.keys)
        reader.refuseUnknownKeys()
        reader.demand("stage", example: "stage: NameOfTheStage")
        let stage = reader.text("stage")
        let name = reader.name("name", signs: "_-")
        let specs = place == .stage ? [Self.workers.spec, Self.capacity.spec] : []
        let parallelismEntries = (node.entries ?? []).filter { entry in
            specs.contains { $0.name == entry.key }
        }
        var parallelism = SettingsReader(place.words, specs: specs)
        self.parallelism = parallelism.read(DefinitionNode(.mapping(parallelismEntries), at: node.origin))
        reader.add(parallelism.problems)
        problems += reader.problems
        guard let stage else { return nil }
        self.place = place
        self.stage = stage.text
        self.name = name?.text ?? stage.text
        origin = stage.origin
        settings = reader.node("settings")
    }
}
