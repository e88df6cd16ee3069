package import Books
import Database
package import Formats
import Glibc
package import Pipeline
package import Services
import Sources
package import Store
package import System

/// The parameters of an import.
package struct ImportRequest: Sendable {
    /// Mode of an import.
    package enum Mode: Sendable {
        /// The files. An unfinished job on the same input continues.
        case files
        /// The files, in a new job. An unfinished job on the same input is abandoned.
        case restart
        /// The files, and the pending records of a job that has completed.
        case pending
        /// A corrected list of the requested job's errors (`--rejects`), and no files.
        case corrections(CorrectedFile)
        /// The stored books, and no files.
        case refresh(RefreshRequest)
    }

    /// A corrected list of errors.
    package struct CorrectedFile: Sendable {
        package var path: String
        /// The order of its dates; nil if the dates themselves or the job's files show it.
        package var dateOrder: DateOrder?

        package init(_ path: String, dateOrder: DateOrder? = nil) {
            self.path = path
            self.dateOrder = dateOrder
        }
    }

    /// The user's choice of pipeline for a job that continues.
    package enum PipelineChoice: Sendable, Hashable {
        /// Nothing: use the job's pipeline.
        case any
        /// A name: it must be the name of the job's pipeline.
        case named
        /// A definition: it must equal the job's.
        case exactly
    }

    package var mode = Mode.files
    /// The files to read, and how.
    package var reading: ReadSettings
    /// The results store, created if it does not exist.
    package var storePath: String
    /// Whether the store, if this import creates it, can be read while it is filled, as by the clients of a server.
    package var admitsReaders = false
    /// Bounds of the memory used for writing.
    package var limits = ResultsStore.Limits()
    /// Maximum number of records in the files; nil for any number.
    package var recordLimit: Int?
    /// Maximum number of books in the library; nil for any number. An import that adds books beyond it is undone.
    package var bookLimit: Int?
    /// Catalogs to ask, in order of preference; may be empty.
    package var catalogPaths: [String] = []
    /// Determines the services to ask, from the selected providers, whether the import is offline, and the
    /// definition's provider settings.
    package typealias Services =
        @Sendable ([String]?, Bool, [String: Settings]) throws(ETLError) -> ServiceSettings
    /// The services to ask. A job that continues supplies all three values. By default no service is asked.
    package var services: Services = { _, _, _ in ServiceSettings() }
    /// The cached answers that are used instead of those in the store; nil for those in the store.
    package var answers: (any AnswerCache)?
    /// The providers to ask, in order of preference, as in `--providers`; nil for all that are configured.
    package var providers: [String]?
    /// Whether no network is used, whatever the definition says. A job that began offline stays offline.
    package var isOffline = false
    /// The library of the entries.
    package var library = JobOptions.defaultLibrary
    /// Whether the library, if it has no books yet, shares no works and editions with others.
    package var isPrivate = false
    /// The requested job: an unfinished one of that name continues. If nil, the store chooses.
    package var jobName: String?
    /// The name of a new job.
    package var freshName: String
    /// Whether an older export overwrites too.
    package var replaces = false
    /// Whether a file that looks like another person's updates entries (``KnownRecords/areAnotherPersons``).
    package var isSamePerson = false
    /// Whether entries of one book are joined at the end, as far as that is certain (``DuplicateList/joins``).
    package var joins = false
    /// The path of the file with ``ReadSettings/rules``, or ``noRules``; nil for the rules that the library remembers.
    package var rulesPath: String?
    /// Stands for no rules, whatever the library remembers.
    package static let noRules = "none"
    /// Whether the run works on a copy of the store and keeps nothing.
    package var isDryRun = false
    /// Whether the job counts as complete even if it does not meet its expectations.
    package var acceptsViolations = false
    /// The error budgets. If nil, a new job has none, and a job that continues keeps its own.
    package var budgets: ErrorBudgets?
    /// The photos that the table was read from; nil if it is another file.
    package var scan: ScanNote?
    /// The pipeline to run.
    package var definition: PipelineDefinition
    /// The files of genre rules that the definition names, by the text of the setting, once they were read.
    var genreRules: [String: DefinitionSource.File] = [:]
    /// The user's choice of pipeline for a job that continues.
    package var pipelineChoice = PipelineChoice.named
    /// Options that the user gave explicitly. A job that continues must have the same values; the other
    /// options are taken from the job.
    package var explicit: Set<JobOptions.Option> = []

    /// An import into the default library, without catalogs and without an error budget.
    package init(
        reading: ReadSettings, storePath: String, freshName: String, definition: PipelineDefinition
    ) {
        self.reading = reading
        self.storePath = storePath
        self.freshName = freshName
        self.definition = definition
    }
}

extension ImportRequest {
    /// The parameters that decide the results. The job stores them so that it can continue.
    package var options: JobOptions {
        var options = JobOptions(
            files: reading.files.map(AbsolutePath.of), definition: definition.definitionSource, options: [:])
        options[.library] = library == JobOptions.defaultLibrary ? nil : [library]
        for (key, word) in reading.words {
            if let option = JobOptions.Option(rawValue: key) {
                options[option] = [option == .mapping ? AbsolutePath.of(word) : word]
            }
        }
        options[.catalog] = catalogPaths.isEmpty ? nil : catalogPaths.map(AbsolutePath.of)
        options[.providers] = providers.map { [$0.isEmpty ? "none" : $0.joined(separator: ",")] }
        options[.offline] = isOffline ? [] : nil
        options[.replace] = replaces ? [] : nil
        options[.join] = joins ? [] : nil
        options[.rules] = rulesPath.map { [$0 == Self.noRules ? $0 : AbsolutePath.of($0)] }
        options.rules = reading.rules?.file
        options.contract = definition.contract
        options.dateOrders = reading.dateOrders.contains(.monthFirst) ? reading.dateOrders : nil
        options.budgets = budgets?.text
        options.genreRules = genreRules.isEmpty ? nil : genreRules
        options.refresh = refresh?.options
        options.scan = scan
        return options
    }

    /// The refresh; nil for another mode.
    package var refresh: RefreshRequest? { if case .refresh(let refresh) = mode { refresh } else { nil } }

    /// The corrected list; nil for another mode.
    package var corrected: CorrectedFile? { if case .corrections(let file) = mode { file } else { nil } }

    /// Whether to abandon an unfinished job and start a new one.
    var restarts: Bool {
        switch mode {
        case .restart: true
        case .refresh(let refresh): refresh.restarts
        case .files, .pending, .corrections: false
        }
    }

    /// Whether to finish the pending records of a completed job.
    var finishesPending: Bool { if case .pending = mode { true } else { false } }

    /// The job request, before the files are surveyed or after.
    func job(
        _ survey: LibrarySurvey? = nil, resuming known: Job? = nil
    ) throws(ETLError) -> JobRequest {
        var inputs = survey?.source.fingerprints ?? []
        if survey == nil {
            for path in reading.files { inputs.append(try InputFile(path).fingerprint()) }
        }
        var job = JobRequest(
            name: jobName, freshName: freshName, pipeline: definition.name,
            library: library, formatName: survey?.formatName, inputs: inputs,
            options: options, totalCount: survey?.recordCount,
            newestDate: survey?.newestDate.map { Int64($0.value) })
        job.runState = JobRunState(services: [])
        let dayFirst = survey?.files.indices.filter { survey?.files[$0].dates.proven == .dayFirst } ?? []
        job.options?.dayFirstFiles = dayFirst.isEmpty ? nil : dayFirst
        if let survey, survey.formatName == nil {
            job.options?.newestDates = survey.newestDates.mapValues { Int64($0.value) }
        }
        job.isPrivate = isPrivate
        job.restarts = restarts
        job.replaces = replaces
        job.finishesPending = finishesPending
        job.continues = known?.id
        return job
    }

    /// Takes over the options that a job began with. Options that the user gave explicitly must be the same.
    ///
    /// - Throws: `.configuration` if an explicit option would give the rest of the job other results.
    package mutating func continueJob(with job: Job) throws(ETLError) {
        let requested = options
        var kept = job.options ?? requested
        let advice = kept.advice(job.name, instead: requested, explicit: explicit)
        if pipelineChoice != .any, job.pipeline != definition.name {
            throw ETLError(
                .configuration,
                "Job `\(job.name)` runs the pipeline `\(job.pipeline)` and cannot continue with `\(definition.name)`.",
                advice: advice)
        }
        takeMovedCatalogs(of: requested, into: &kept)
        try kept.check(requested, explicit: explicit, job: job.name)
        if let source = kept.definition { try take(source, of: job.name, advice: advice) }
        if reading.files.isEmpty { reading.files = job.files }
        try take(kept.options)
        // Even if the file or the library's rules have changed since.
        reading.rules = try kept.rules.map { file throws(ETLError) in try MappingRules(file) }
        reading.dateOrders = kept.dateOrders ?? []
        genreRules = kept.genreRules ?? [:]
        if budgets == nil { budgets = kept.budgets.flatMap { ErrorBudgets($0) } }
    }

    /// Opens the files that the request and a plan name, unless the job has kept their text.
    ///
    /// - Throws: `missing` or `configuration` for a file that is missing or wrong.
    mutating func openNamedFiles(of plan: Plan) throws(ETLError) -> NamedFiles {
        var files = NamedFiles(genreRules: try GenreRuleFiles.read(plan, kept: genreRules))
        genreRules = files.genreRules.compactMapValues(\.file)
        for path in catalogPaths { files.catalogs.append(try Catalog(path)) }
        return files
    }

    /// The settings for reading with the rules that the library remembers, unless the user named others.
    ///
    /// - Throws: What opening the store throws.
    func readingWithRules(waiting policy: LockWaitPolicy) throws(ETLError) -> ReadSettings {
        var reading = reading
        if rulesPath == nil { try reading.takeRules(of: library, in: storePath, waiting: policy) }
        return reading
    }

    /// Catalogs that were moved may be given at their new path. Whether they are the same is up to the user,
    /// so this only applies to catalogs that were given explicitly, not through a variable.
    private func takeMovedCatalogs(of requested: JobOptions, into kept: inout JobOptions) {
        guard explicit.contains(.catalog), let before = kept[.catalog],
            let now = requested[.catalog],
            before.count == now.count,
            zip(before, now).allSatisfy({ $0 == $1 || FileSystem.access($0, F_OK) != 0 && errno == ENOENT })
        else { return }
        kept[.catalog] = now
    }

    private mutating func take(
        _ source: DefinitionSource, of job: String, advice: UserText
    ) throws(ETLError) {
        let kept: PipelineDefinition
        do { kept = try source.read() } catch { throw error.failure }
        if pipelineChoice == .exactly {
            if let path = try Self.difference(between: kept, and: definition) {
                throw ETLError(
                    .configuration, "The definition has changed since job `\(job)` started: \(path) differs.",
                    advice: advice)
            }
        } else {
            definition = kept
        }
    }

    /// The first value that affects results and differs between two definitions; nil if there is none.
    private static func difference(
        between a: PipelineDefinition, and b: PipelineDefinition
    ) throws(ETLError) -> String? {
        let (a, b) = (try effects(of: a), try effects(of: b))
        if let pair = zip(a, b).first(where: { $0 != $1 }) { return pair.0.path }
        return a.count == b.count ? nil : "the list of stages"
    }

    private struct Effect: Equatable {
        var path: String
        var value: String
    }

    /// The values of a definition that affect the results. They do not include those about speed, and where
    /// services are reached.
    private static func effects(of definition: PipelineDefinition) throws(ETLError) -> [Effect] {
        let plan = try BookStages.plan(definition)
        return plan.configuration.map { Effect(path: $0.path, value: $0.value) }.filter { effect in
            !effect.path.hasPrefix("run.") && !effect.path.hasPrefix("providers.")
                && !effect.path.hasSuffix(".workers")
                && !effect.path.hasSuffix(".capacity") && !effect.path.contains(".settings.batch.")
                && !effect.path.contains(".settings.commit.")
        }
    }

    private mutating func take(_ options: [JobOptions.Option: [String]]) throws(ETLError) {
        library = options[.library]?.first ?? JobOptions.defaultLibrary
        try reading.take(
            words: options.compactMap { option, words in words.first.map { (key: option.rawValue, word: $0) }
            })
        catalogPaths = options[.catalog] ?? []
        providers = options[.providers]?.first.map { list in
            list == "none" ? [] : list.split(separator: ",").map(String.init)
        }
        isOffline = isOffline || options[.offline] != nil
        replaces = options[.replace] != nil
        joins = options[.join] != nil
        rulesPath = options[.rules]?.first
    }
}

/// The files, apart from the input, that a run reads.
struct NamedFiles: Sendable {
    /// The files of genre rules that the definition names, by the text of the setting.
    var genreRules: [String: GenreRules]
    /// The catalogs to ask, in order of preference.
    var catalogs: [Catalog] = []
}

/// Makes the absolute path of a file, which a job stores so that it can continue in another directory.
package enum AbsolutePath {
    /// The folder is resolved, so that all its spellings give the same path. The file's own name is kept,
    /// because a symbolic link whose target changes from week to week is one input. A path whose folder does
    /// not exist is only made absolute.
    package static func of(_ path: String) -> String {
        let name = FolderPath.lastName(path)
        // The path is a folder.
        if name.isEmpty || name == "." || name == ".." { return StorePath.real(path) }
        let folder = StorePath.real(FolderPath.of(path))
        if FolderPath.isAbsolute(folder) { return (folder == "/" ? "" : folder) + "/" + name }
        return (Folder.current ?? ".") + "/" + path
    }
}
