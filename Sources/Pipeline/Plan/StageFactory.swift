import System

/// How a stage is made: its name in pipeline files, documentation, settings, input and output.
///
/// ```swift
/// StageFactory(stage: "ValidateISBN", summary: "Checks and repairs ISBNs.", workers: 2) { _ in
///     ValidateISBN()
/// }
/// ```
///
/// External things that a stage needs, such as a store or a catalog, are captured by its closure where the
/// registry is built. There are no globals. The closure runs once per run, after the whole plan has been
/// checked.
package struct StageFactory: Sendable {
    /// Where in a pipeline it can be used.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        case source, stage, sink
    }

    enum Make: Sendable {
        case source(@Sendable (Settings) throws(ETLError) -> any Source)
        case stage(@Sendable (Settings) throws(ETLError) -> any Stage)
        case sink(@Sendable (Settings) throws(ETLError) -> any Sink)
    }

    /// Its name in pipeline files: verb and object, `ValidateISBN`.
    package let name: String
    /// Description for the user, in one sentence.
    package let summary: String
    /// The settings it has.
    package let settings: [SettingSpec]
    /// The payload it accepts; nil for a source.
    package let input: (any Payload.Type)?
    /// The payload it produces; nil for a sink.
    package let output: (any Payload.Type)?
    /// The default number of workers.
    package let workers: Int
    /// Whether its output depends on earlier records (``Stage/remembersRecords``), so that it has one worker.
    package let remembersRecords: Bool
    let make: Make

    /// The factory of a source.
    package init<Made: Source>(
        source name: String, summary: String, settings: [SettingSpec] = [],
        make: @escaping MakeStage<Made>
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        input = nil
        output = Made.Output.self
        workers = 1
        remembersRecords = false
        self.make = .source { (settings) throws(ETLError) in try make(settings) }
    }

    /// The factory of a stage.
    ///
    /// - Parameters:
    ///   - name: Its name in pipeline files, verb and object.
    ///   - summary: What it does, in one sentence for the user.
    ///   - settings: The settings it has.
    ///   - workers: The default number of batches processed at the same time, at least 1.
    ///   - make: Makes the stage from checked settings, once per run.
    package init<Made: Stage>(
        stage name: String, summary: String, settings: [SettingSpec] = [], workers: Int = 1,
        make: @escaping MakeStage<Made>
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        input = Made.Input.self
        output = Made.Output.self
        self.workers = Made.remembersRecords ? 1 : max(1, workers)
        remembersRecords = Made.remembersRecords
        self.make = .stage { (settings) throws(ETLError) in try make(settings) }
    }

    /// The factory of a sink.
    package init<Made: Sink>(
        sink name: String, summary: String, settings: [SettingSpec] = [],
        make: @escaping MakeStage<Made>
    ) {
        self.name = name
        self.summary = summary
        self.settings = settings
        input = Made.Input.self
        output = nil
        workers = 1
        remembersRecords = false
        self.make = .sink { (settings) throws(ETLError) in try make(settings) }
    }

    /// Whether it makes a source, a stage or a sink.
    package var role: Role {
        switch make {
        case .source: .source
        case .stage: .stage
        case .sink: .sink
        }
    }

    /// The name of its input for users, such as `library rows`; nil for a source.
    package var inputWords: String? { input.map(PayloadNames.words) }
    /// The name of its output for users, such as `validated rows`; nil for a sink.
    package var outputWords: String? { output.map(PayloadNames.words) }
}

/// Names of payload types for users.
enum PayloadNames {
    /// `LibraryRows` is "library rows", `BookBatch` "books", `ISBNList` "ISBN list".
    static func words(_ type: any Payload.Type) -> String {
        let name = String(describing: type)
        let suffix = "Batch"
        let letters = Array(name.hasSuffix(suffix) ? name.dropLast(suffix.count) + "s" : name)
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
        // A word of capitals only is an abbreviation and stays in capitals.
        return words.map { $0.count > 1 && $0.allSatisfy(\.isUppercase) ? $0 : $0.lowercased() }
            .joined(separator: " ")
    }
}
