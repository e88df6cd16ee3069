package import Books
import Bytes
import Foundation
package import Pipeline

/// All that an import is told.
package struct ImportRequest: Sendable {
    /// What is said of the pipeline, for a job that is gone on with.
    package enum PipelineChoice: Sendable, Hashable {
        /// Whichever the job has.
        case any
        /// One of this name, as the job has it.
        case named
        /// Just this one.
        case exactly
    }

    /// What is read, and how.
    package var reading: ReadSettings
    /// The results store, which is made where there is none.
    package var storePath: String
    /// Bounds of the memory that writing takes.
    package var limits = ResultsStore.Limits()
    /// Catalogs to ask, in order of preference; none is allowed.
    package var catalogPaths: [String] = []
    /// Which services are asked, once it is known who is asked, whether the network may be, and what the definition says
    /// of providers: a job that is gone on with says all three. None, unless the operator names them.
    package var services:
        @Sendable ([String]?, Bool, [String: Settings]) throws(StageFailure) -> ServiceSettings = {
            _, _, _ in ServiceSettings()
        }
    /// Who is asked, in order of preference, as `--providers` names them; nil for all that are configured.
    package var providers: [String]?
    /// No network, whatever the definition says. A job that was begun so goes on so.
    package var isOffline = false
    /// Whose library the entries belong to.
    package var library = "default"
    /// The job asked for: an unfinished one of that name goes on. Nil leaves the choice to the store.
    package var jobName: String?
    /// The name of a new job.
    package var freshName: String
    /// Forget an unfinished job on the same input and begin anew.
    package var restarts = false
    /// Overwrite with an older export too.
    package var replaces = false
    /// Whether all is done but nothing kept: the run works on a copy of the store.
    package var isDryRun = false
    /// Take up the pending records of a completed job.
    package var finishesPending = false
    /// A mended list of the errors of the job asked for (`--rejects`): it is read in place of the job's files.
    package var rejects: String?
    /// What is said of the dates of ``rejects``; nil where they themselves tell, or those of the job's files.
    package var rejectsDateOrder: DateOrder?
    /// How many rejects end the run, in all or for a reason; nil: however many there are, or as many as the job that is
    /// gone on with was begun with.
    package var budgets: ErrorBudgets?
    /// The pipeline that is run.
    package var definition: PipelineDefinition
    /// What is said of the pipeline of a job that is gone on with.
    package var pipelineChoice = PipelineChoice.named
    /// Options that were said, and not left to their defaults: a job that is gone on with must have the same. The
    /// others are taken from the job.
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
    /// What of it decides the results, for the job to be gone on with.
    package var terms: JobOptions {
        var options: [JobOptions.Option: [String]] = [:]
        options[.library] = library == "default" ? nil : [library]
        for (key, word) in reading.words {
            if let option = JobOptions.Option(rawValue: key) {
                options[option] = [option == .mapping ? AbsolutePath.of(word) : word]
            }
        }
        options[.catalog] = catalogPaths.isEmpty ? nil : catalogPaths.map(AbsolutePath.of)
        options[.providers] = providers.map { [$0.isEmpty ? "none" : $0.joined(separator: ",")] }
        options[.offline] = isOffline ? [] : nil
        options[.replace] = replaces ? [] : nil
        var terms = JobOptions(
            files: reading.files.map(AbsolutePath.of), definition: definition.definitionSource,
            options: options)
        terms.contract = definition.contract
        terms.dateOrders = reading.dateOrders.contains(.monthFirst) ? reading.dateOrders : nil
        terms.services = []
        terms.budgets = budgets?.text
        return terms
    }

    /// Takes over what a job was begun with; what was said must be the same.
    ///
    /// - Throws: `.configuration` where something said would give the rest of the job other results.
    package mutating func continueJob(with job: Job) throws(StageFailure) {
        // A job of an earlier version has no terms: those of the order stand, but for its library.
        let requested = terms
        var kept = job.terms ?? requested
        let advice = kept.advice(job.name, instead: requested, explicit: explicit)
        if pipelineChoice != .any, job.pipeline != definition.name {
            throw StageFailure(
                .configuration,
                "Job \(job.name) runs the pipeline \(job.pipeline) and cannot go on with \(definition.name).",
                advice: advice)
        }
        if job.terms == nil { kept.options[.library] = job.library == "default" ? nil : [job.library] }
        takeMovedCatalogs(of: requested, into: &kept)
        try kept.check(requested, explicit: explicit, job: job.name)
        if let source = kept.definition { try take(source, of: job.name, advice: advice) }
        if reading.files.isEmpty { reading.files = job.files }
        try take(kept.options)
        reading.dateOrders = kept.dateOrders ?? []
        if budgets == nil { budgets = kept.budgets.flatMap { ErrorBudgets($0) } }
    }

    /// Catalogs that are gone from where they were may be named where they are now. That they are the same ones is the
    /// word of whoever names them: nobody is taken at a word that was not given, as of a variable.
    private func takeMovedCatalogs(of requested: JobOptions, into kept: inout JobOptions) {
        guard explicit.contains(.catalog), let before = kept.options[.catalog],
            let now = requested.options[.catalog],
            before.count == now.count,
            zip(before, now).allSatisfy({ $0 == $1 || access($0, F_OK) != 0 && errno == ENOENT })
        else { return }
        kept.options[.catalog] = now
    }

    private mutating func take(
        _ source: DefinitionSource, of job: String, advice: UserText
    ) throws(StageFailure) {
        let kept: PipelineDefinition
        do { kept = try source.read() } catch { throw error.failure }
        if pipelineChoice == .exactly {
            if let path = try Self.difference(between: kept, and: definition) {
                throw StageFailure(
                    .configuration, "Job \(job) was begun with another \(path) than the definition has now.",
                    advice: advice)
            }
        } else {
            definition = kept
        }
    }

    /// The first value that decides results and is another one in two definitions; nil where there is none.
    private static func difference(
        between a: PipelineDefinition, and b: PipelineDefinition
    ) throws(StageFailure) -> String? {
        let (a, b) = (try effects(of: a), try effects(of: b))
        if let pair = zip(a, b).first(where: { $0 != $1 }) { return pair.0.path }
        return a.count == b.count ? nil : "list of stages"
    }

    private struct Effect: Equatable {
        var path: String
        var value: String
    }

    /// What a definition decides of the results: all but the pace at which it is done, and where services are asked.
    private static func effects(of definition: PipelineDefinition) throws(StageFailure) -> [Effect] {
        let plan = try BookStages.plan(definition, .none)
        return plan.configuration.map { Effect(path: $0.path, value: $0.value) }.filter { effect in
            !effect.path.hasPrefix("run.") && !effect.path.hasPrefix("providers.")
                && !effect.path.hasSuffix(".workers")
                && !effect.path.hasSuffix(".capacity") && !effect.path.contains(".settings.batch.")
                && !effect.path.contains(".settings.commit.")
        }
    }

    private mutating func take(_ options: [JobOptions.Option: [String]]) throws(StageFailure) {
        library = options[.library]?.first ?? "default"
        try reading.take(
            words: options.compactMap { option, words in words.first.map { (key: option.rawValue, word: $0) }
            })
        catalogPaths = options[.catalog] ?? []
        providers = options[.providers]?.first.map { list in
            list == "none" ? [] : list.split(separator: ",").map(String.init)
        }
        isOffline = isOffline || options[.offline] != nil
        replaces = options[.replace] != nil
    }
}

/// The path of a file that holds from any directory: what a job keeps, to be gone on with from elsewhere.
package enum AbsolutePath {
    /// The folder is looked up, so that all its spellings come to the same; the file's own name stays, for a link that
    /// is led elsewhere from week to week is one input. A path whose folder is not there stays as it is spelled.
    package static func of(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        // The name of a folder, seen from within or below.
        if name.isEmpty || name == "." || name == ".." { return StorePath.real(path) }
        let folder = StorePath.real(FolderPath.of(path))
        if folder.hasPrefix("/") { return (folder == "/" ? "" : folder) + "/" + name }
        return FileManager.default.currentDirectoryPath + "/" + path
    }
}
