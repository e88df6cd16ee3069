/// A pipeline as its file defines it: which stages, in which order, with which settings.
///
/// ```yaml
/// name: csv_import                  # required: letters, digits, . _ -
/// description: Imports a library export.
/// contract: csv_import              # pipeline name in messages to clients; the name, if not given
/// source:                           # required: where records come from
///   stage: ReadLibrary
///   settings:
///     format: auto
///     batch: { records: 1024, bytes: 1MiB }
/// stages:                           # in the order of the dataflow; may be empty
///   - stage: ValidateISBN
///   - stage: LookUpBooks
///     name: lookup                  # in messages and --set; the stage's, if not given
///     workers: 2                    # batches at work at once; the stage's own default, if not given
///     capacity: 4                   # batches that may wait before it
///     settings: { providers: [catalog] }
/// sink:                             # required: where results go
///   stage: WriteResults
/// providers:                        # services that stages ask; their settings stand once
///   openlibrary: { baseURL: "http://127.0.0.1:9000" }
/// run:
///   window: 16                      # batches in flight at most
///   waitingBytes: 8MiB              # bytes of batches that may wait before one stage
///   attempts: 3                     # tries of a batch when a failure is transient
/// ```
/// Which settings a stage or provider has, `etl stages` tells. A key that nothing reads is an error: a
/// setting that silently does nothing is worse than a run that does not start.
public struct PipelineDefinition: Sendable, Hashable {
    /// Batches in flight: read by the source and not yet committed by the sink.
    public static let window = Setting.integer(
        "window", default: 16, in: 1...4_096,
        "Batches in flight at most, read and not yet committed: the bound on memory.")
    /// Bytes waiting before a stage.
    public static let waitingBytes = Setting.bytes(
        "waitingBytes", default: 8 << 20, in: 64 << 10...1 << 30,
        "Bytes of batches that may wait before one stage: the bound on memory where records are large.")
    /// Tries of a batch, the first included.
    public static let attempts = Setting.integer(
        "attempts", default: 3, in: 1...100,
        "Tries of a batch, the first included, when a failure is transient.")
    /// The settings of `run:`, for documentation.
    public static let runSettings = [window.spec, waitingBytes.spec, attempts.spec]

    static let keys = ["name", "description", "contract", "source", "stages", "sink", "providers", "run"]

    /// The pipeline's name: letters, digits, `.`, `_`, `-`; at most 64.
    public let name: String
    /// What it does, in the words of its author.
    public let description: String?
    /// The pipeline's name in messages to clients (contract.md section 7).
    public let contract: String
    /// The step that reads.
    public let source: StepDefinition
    /// In the order of the dataflow.
    public let stages: [StepDefinition]
    /// The step that commits.
    public let sink: StepDefinition
    /// The settings of `run:`.
    public let run: Settings
    /// What it was read from; nil where it was made otherwise.
    public internal(set) var definitionSource: DefinitionSource?
    /// What `providers:` holds, checked when a plan is made.
    let providers: DefinitionNode?
    /// Name, description and contract, and where each was said.
    let heading: [EffectiveValue]

    /// All steps in the order of the dataflow.
    public var steps: [StepDefinition] { [source] + stages + [sink] }

    /// Reads a definition from its tree.
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
        // Without a name, source or sink there is a problem already.
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
                .duplicateName, at: step.origin, "Two steps are named `\(step.name)`.",
                advice: "Give one of them a `name:` of its own.")
        }
    }
}

/// One step of a definition: a stage, where it stands and how it is to be run. Its settings are checked when
/// a plan is made, since only the registry knows what they mean.
public struct StepDefinition: Sendable, Hashable {
    /// The role of a step, by its place in the file.
    public enum Place: Sendable, Hashable {
        case source, stage, sink

        /// The keys of such a step. A source reads and a sink commits in order, so neither has workers; what
        /// may wait before the sink is bounded by the window.
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

    /// Workers of a stage: tasks that share its batches.
    static let workers = Setting<Int?>.integer("workers", in: 1...256, "Batches a stage works on at once.")
    /// Batches waiting before a stage.
    static let capacity = Setting.integer(
        "capacity", default: 4, in: 1...1_024,
        "Batches that may wait before a stage; beyond them the one before it waits.")

    /// Whether it stands under `source:`, `stages:` or `sink:`.
    public let place: Place
    /// The registered stage's name.
    public let stage: String
    /// The step's name in messages, counts and `--set`: the stage's, unless the definition gives another.
    public let name: String
    /// Where the stage is named.
    public let origin: ValueOrigin
    /// Workers and capacity of a stage.
    let pace: Settings
    /// What `settings:` holds.
    let settings: DefinitionNode?

    /// Reads a step.
    init?(_ node: DefinitionNode, _ place: Place, problems: inout [DefinitionProblem]) {
        var reader = MappingReader(node, place.words, keys: place.keys)
        reader.refuseUnknownKeys()
        reader.demand("stage", example: "stage: NameOfTheStage")
        let stage = reader.text("stage")
        let name = reader.name("name", signs: "_-")
        let specs = place == .stage ? [Self.workers.spec, Self.capacity.spec] : []
        let paced = (node.entries ?? []).filter { entry in specs.contains { $0.name == entry.key } }
        var pace = SettingsReader(place.words, specs: specs)
        self.pace = pace.read(DefinitionNode(.mapping(paced), at: node.origin))
        reader.add(pace.problems)
        problems += reader.problems
        guard let stage else { return nil }
        self.place = place
        self.stage = stage.text
        self.name = name?.text ?? stage.text
        origin = stage.origin
        settings = reader.node("settings")
    }
}
