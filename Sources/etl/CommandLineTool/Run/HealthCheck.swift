import Books
import FoundationEssentials
import Glibc
import Jobs
import Pipeline
import Queries
import Sources
import Store
import Syntax
import System

/// The findings of `etl doctor`, with advice.
struct HealthCheck {
    private struct Finding {
        var subject: String
        var isFine: Bool
        var words: String
        var advice: UserText?
    }

    /// The number of resumable jobs that are named.
    private static let jobsShown = 5

    private var findings: [Finding] = []
    /// The configuration that a run would use, and the origin of each value.
    var settings: [(name: String, value: String, origin: String)] = []

    /// The services that a run would ask; nil if their settings are wrong.
    var services: ServiceSettings?

    var isHealthy: Bool { findings.allSatisfy(\.isFine) }

    mutating func add(_ subject: String, _ isFine: Bool, _ words: String, advice: UserText? = nil) {
        findings.append(Finding(subject: subject, isFine: isFine, words: words, advice: advice))
    }

    mutating func checkStore(_ path: String) {
        checkFolder(of: path)
        guard FileSystem.access(path, F_OK) == 0 else {
            return add(
                "store", true, "there is no store `\(path)` yet",
                advice: "The first import creates it. Specify another store with --db or ETL_DB.")
        }
        if FileSystem.access(path, W_OK) != 0 {
            add(
                "store", false, "`\(path)` cannot be written, so nothing can be imported into it",
                advice: "Make it writable, for example with `chmod u+w FILE`.")
        }
        do throws(ETLError) {
            let connection = try StoreFile.openForReading(path)
            let problems = try StoreCheck(connection).problems()
            for problem in problems {
                add(
                    "store", false, "`\(path)`: \(Self.words(problem))",
                    advice: "Restore it from a backup, then import again.")
            }
            if problems.isEmpty {
                add("store", true, "`\(path)` is valid: its schema and foreign keys are intact")
            }
            let jobs = try JobTable(connection).all()
            let isRunning = StoreLock.isHeld(store: path)
            if isRunning { add("jobs", true, "a run is using `\(path)` now") }
            // An unfinished job may be the one that is running.
            let due = jobs.filter {
                ResumeSession.isDue($0) && !ResumeSession.isSuspended($0) && !(isRunning && $0.isUnfinished)
            }
            noteDue(due, in: path)
        } catch {
            add("store", false, error.message, advice: Self.advice(error, else: "then import again"))
        }
    }

    /// A finding without the full stop of a single sentence, because the other lines have none.
    private static func line(_ words: String) -> String {
        words.hasSuffix(".") && !words.contains(". ") ? String(words.dropLast()) : words
    }

    /// A problem, with the number of rows if there are several.
    private static func words(_ problem: StoreCheck.Problem) -> String {
        guard problem.count > 1 else { return problem.sentence }
        let sentence =
            problem.sentence.hasSuffix(".") ? String(problem.sentence.dropLast()) : problem.sentence
        return "\(sentence) (\(HumanText.count(problem.count)))."
    }

    /// The advice of a failure. Advice to run `etl doctor` is replaced, because the user has just done that.
    private static func advice(_ failure: ETLError, else words: String) -> UserText? {
        failure.advice.map { $0.refers(to: UserCommand.doctor) ? "Restore it from a backup, \(words)." : $0 }
    }

    /// Checks the store's folder: a run writes its journal there, and a search its index.
    private mutating func checkFolder(of store: String) {
        let folder = FolderPath.of(store)
        guard FileSystem.access(folder, F_OK) == 0, FileSystem.access(folder, W_OK | X_OK) != 0 else {
            return
        }
        add(
            "folder", false, "`\(folder)` cannot be written, so no import can use `\(store)`",
            advice:
                "Make the folder writable, for example with `chmod u+wx FOLDER`, or specify another store with --db."
        )
    }

    /// Lists jobs that can be resumed, the newest first. They are not a problem.
    private mutating func noteDue(_ jobs: [Job], in store: String) {
        guard let first = jobs.first else { return }
        guard jobs.count > 1 else {
            return add(
                "jobs", true,
                first.isUnfinished
                    ? "job `\(first.name)` is unfinished"
                    : "job `\(first.name)` has \(ResumeSession.due(first))",
                advice: "To continue it, run \(UserCommand.resume(job: first.name)).")
        }
        let shown = jobs.prefix(Self.jobsShown).map { "`\($0.name)` (\(ResumeSession.due($0)))" }
        add(
            "jobs", true,
            "\(HumanText.count(jobs.count, "job")) can be resumed: \(shown.joined(separator: ", "))\(jobs.count > shown.count ? ", …" : "")",
            advice: "To continue all of them, run \(UserCommand.retry).")
    }

    mutating func checkCatalog(_ path: String) async {
        do throws(ETLError) {
            let catalog = try Catalog(path)
            let description = try await catalog.describe()
            let problems = try await catalog.problems()
            for problem in problems {
                add(
                    "catalog", false, "`\(path)` is damaged: \(problem)",
                    advice: Catalog.adviceToRebuild(path))
            }
            guard problems.isEmpty else { return }
            let isTooLarge = description.bytes > Catalog.maxBytesChecked
            let rest =
                isTooLarge
                ? "; larger than \(HumanText.bytes(Int(Catalog.maxBytesChecked))), so its pages were not checked"
                : ""
            add(
                "catalog", true,
                "`\(path)`: \(HumanText.count(description.isbns, "ISBN")), built \(description.builtAt)\(rest)"
            )
        } catch {
            add("catalog", false, error.message, advice: Self.advice(error, else: "or build it again"))
        }
    }

    mutating func checkSpace(beside store: String) {
        var facts = statvfs()
        guard FileSystem.statvfs(FolderPath.of(store), &facts) == 0 else {
            return add(
                "disk", false, "the folder of `\(store)` cannot be read",
                advice: "Check that the folder exists.")
        }
        let free = Int(facts.f_bavail) * Int(facts.f_frsize)
        // A million records take about a gigabyte.
        add(
            "disk", free > 1 << 30, "\(HumanText.bytes(free)) free on the disk of `\(store)`",
            advice: free > 1 << 30 ? nil : "Free some space: a million records take about 1 GiB.")
    }

    mutating func checkDefinitions() {
        let services = checkServices()
        do {
            let definition = try Definitions.csvImport()
            let plan = try Plan(definition, registry: BookStages.registry)
            for value in plan.configuration { note(value, services) }
            do { _ = try GenreRuleFiles.read(plan) } catch { throw CommandFailure(error) }
            if let services { check(services, providers: plan.providers) }
        } catch let failure as CommandFailure {
            for failure in [failure] + failure.further {
                add("configuration", false, failure.message, advice: failure.advice)
            }
        } catch {
            add("configuration", false, "\(error)")
        }
    }

    mutating func noteEnvironment() {
        for name in ["ETL_DB", "ETL_CATALOG"] {
            if let value = ProcessTexts.variable(name), !value.isEmpty {
                settings.append((name, value, "the environment"))
            }
        }
        for path in Definitions.configurationPaths where FileSystem.access(path, F_OK) == 0 {
            add("configuration", true, "using `\(path)`")
        }
    }

    /// Problems come first, then findings with advice, then everything else, and last the settings if they are asked for.
    func write(withSettings: Bool, to console: Console) throws(CommandFailure) {
        let problems = findings.filter { !$0.isFine }
        let open = findings.filter { $0.isFine && $0.advice != nil }
        let headline =
            problems.isEmpty
            ? "No problems found." : "\(HumanText.count(problems.count, "problem")) found."
        try console.write(console.style(.bold, headline) + "\n\n")
        var list = DefinitionList()
        for finding in problems + open + findings.filter({ $0.isFine && $0.advice == nil }) {
            let mark = finding.isFine ? finding.advice == nil ? "ok" : "note" : "error"
            list.add(
                TextWidth.pad(mark, to: 7) + finding.subject,
                paragraphs: [Self.line(finding.words)]
                    + [finding.advice.map(console.words.spelled)].compactMap { $0 })
        }
        try console.write(list)
        try console.write("\n")
        guard withSettings else {
            return try console.writeText("`etl doctor --settings` shows each setting and its origin.")
        }
        var values = Table(
            .init("setting", isNeverCut: true), .init("value", wraps: true), .init("origin", wraps: true))
        for setting in settings { values.add(setting.name, setting.value, setting.origin) }
        try console.write(values)
    }

    func write(into json: inout JSONWriter, _ words: CommandSpelling) {
        json.object { json in
            json.field("healthy", isHealthy)
            json.key("findings")
            json.array { json in
                for finding in findings {
                    json.object { json in
                        json.field("subject", finding.subject)
                        json.field("fine", finding.isFine)
                        json.field("finding", finding.words)
                        json.field("advice", finding.advice.map(words.spelled))
                    }
                }
            }
            json.key("settings")
            json.array { json in
                for setting in settings {
                    json.object { json in
                        json.field("name", setting.name)
                        json.field("value", setting.value)
                        json.field("origin", setting.origin)
                    }
                }
            }
        }
    }
}
