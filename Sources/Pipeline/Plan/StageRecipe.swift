/// How a stage is made: its name in pipeline files, its documentation, its settings, what goes in and what
/// comes out.
///
/// ```swift
/// StageRecipe(stage: "ValidateISBN", summary: "Checks and repairs ISBNs.", workers: 2) { _ in ValidateISBN()
/// }
/// ```
/// What a stage needs from the world (a store, a catalog) its closure captures where the registry is built;
/// nothing is global. The closure runs once per run, after the whole plan has been checked.
public struct StageRecipe: Sendable {
    /// Where in a pipeline it can stand.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        case source, stage, sink
    }

    enum Factory: Sendable {
        case source(@Sendable (Settings) throws(StageFailure) -> any Source)
        case stage(@Sendable (Settings) throws(StageFailure) -> any Stage)
        case sink(@Sendable (Settings) throws(StageFailure) -> any Sink)
    }

    /// Its name in pipeline files: verb and object, `ValidateISBN`.
    public let name: String
    /// What it does, in one sentence for the user.
    public let summary: String
    /// The settings it takes.
    public let settings: [SettingSpec]
    /// The payload it takes; nil for a source.
    public let input: (any Payload.Type)?
    /// The payload it gives; nil for a sink.
    public let output: (any Payload.Type)?
    /// Workers where the definition says nothing.
    public let workers: Int
    let factory: Factory

    /// A source: where records come from.
    public init<Made: Source>(
        source name: String, summary: String, settings: [SettingSpec] = [],
        make: @escaping @Sendable (Settings) throws(StageFailure) -> Made
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        input = nil
        output = Made.Output.self
        workers = 1
        factory = .source { (settings) throws(StageFailure) in try make(settings) }
    }

    /// A stage: what happens to them.
    ///
    /// - Parameters:
    ///   - name: Its name in pipeline files, verb and object.
    ///   - summary: What it does, in one sentence for the user.
    ///   - settings: The settings it takes.
    ///   - workers: Batches it works on at once where the definition says nothing, from 1.
    ///   - make: Makes it, once a run, from settings that were checked.
    public init<Made: Stage>(
        stage name: String, summary: String, settings: [SettingSpec] = [], workers: Int = 1,
        make: @escaping @Sendable (Settings) throws(StageFailure) -> Made
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        input = Made.Input.self
        output = Made.Output.self
        self.workers = max(1, workers)
        factory = .stage { (settings) throws(StageFailure) in try make(settings) }
    }

    /// A sink: where results go.
    public init<Made: Sink>(
        sink name: String, summary: String, settings: [SettingSpec] = [],
        make: @escaping @Sendable (Settings) throws(StageFailure) -> Made
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        input = Made.Input.self
        output = nil
        workers = 1
        factory = .sink { (settings) throws(StageFailure) in try make(settings) }
    }

    /// Whether it makes a source, a stage or a sink.
    public var role: Role {
        switch factory {
        case .source: .source
        case .stage: .stage
        case .sink: .sink
        }
    }

    /// What it takes, in words: `library rows`; nil for a source.
    public var inputWords: String? { input.map(PayloadNames.words) }
    /// What it gives, in words: `validated rows`; nil for a sink.
    public var outputWords: String? { output.map(PayloadNames.words) }
}

/// Names of payload types as people read them.
enum PayloadNames {
    /// `LibraryRows` is "library rows", `ISBNList` "ISBN list".
    static func words(_ type: any Payload.Type) -> String {
        let letters = Array(String(describing: type))
        var words: [String] = []
        for (index, letter) in letters.enumerated() {
            let afterSmall = index > 0 && !letters[index - 1].isUppercase
            let beforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
            if letter.isUppercase, afterSmall || beforeSmall || words.isEmpty {
                words.append(String(letter))
            } else {
                words.append((words.popLast() ?? "") + String(letter))
            }
        }
        // A word of capitals only is an abbreviation and stays one.
        return words.map { $0.count > 1 && $0.allSatisfy(\.isUppercase) ? $0 : $0.lowercased() }
            .joined(separator: " ")
    }
}
