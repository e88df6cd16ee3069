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
