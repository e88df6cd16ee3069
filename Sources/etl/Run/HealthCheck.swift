import Application
import Books
import Bytes
import Foundation
import Pipeline
import Syntax

/// What `etl doctor` finds, and what to do about it.
struct HealthCheck {
    private struct Finding {
        var subject: String
        var isFine: Bool
        var words: String
        var advice: UserText?
    }

    /// Jobs that can go on, told by name.
    private static let jobsShown = 5

    private var findings: [Finding] = []
    private var hasNoStore = false
    /// The configuration a run would go by, and who said it.
    var settings: [(name: String, value: String, origin: String)] = []

    var isHealthy: Bool { findings.allSatisfy(\.isFine) }

    mutating func add(_ subject: String, _ isFine: Bool, _ words: String, advice: UserText? = nil) {
        findings.append(Finding(subject: subject, isFine: isFine, words: words, advice: advice))
    }

    mutating func checkStore(_ path: String) {
        checkFolder(of: path)
        guard access(path, F_OK) == 0 else {
            hasNoStore = true
            return add(
                "store", true, "there is no store \(path) yet",
                advice: "The first import makes it; another one is named with --db or ETL_DB.")
        }
        if access(path, W_OK) != 0 {
            add(
                "store", false, "\(path) cannot be written: nothing can be imported into it",
                advice: "Give yourself the right to write it.")
        }
        do throws(StageFailure) {
            let connection = try StoreFile.openForReading(path)
            let problems = try StoreCheck(connection).problems()
            for problem in problems {
                add(
                    "store", false, "\(path): \(problem.sentence)",
                    advice: "Go back to a copy, then import again.")
            }
            if problems.isEmpty { add("store", true, "\(path) is sound, schema and references agree") }
            let jobs = try JobTable(connection).all()
            let isRunning = StoreLock.isHeld(store: path)
            if isRunning { add("jobs", true, "a run is writing to \(path) now") }
            // An unfinished job may be the one that is run.
            let due = jobs.filter {
                ResumeSession.isDue($0) && !ResumeSession.isLeftAlone($0) && !(isRunning && $0.isUnfinished)
            }
            noteDue(due, in: path)
        } catch {
            add("store", false, error.message, advice: Self.advice(error, else: "then import again"))
        }
    }

    /// What to do about a failure, where that is not what was just done.
    private static func advice(_ failure: StageFailure, else words: String) -> UserText? {
        failure.advice.map { $0.refers(to: UserCommand.doctor) ? "Restore it from a backup, \(words)." : $0 }
    }

    /// A run writes its journal beside the store, and a search its index.
    private mutating func checkFolder(of store: String) {
        let folder = FolderPath.of(store)
        guard access(folder, F_OK) == 0, access(folder, W_OK | X_OK) != 0 else { return }
        add(
            "folder", false, "nothing can be written in \(folder): no import can work on \(store)",
            advice: "Give yourself the right to write there, or name another store with --db.")
    }

    /// Jobs that can go on, the latest first, are no fault: a run takes them up.
    private mutating func noteDue(_ jobs: [Job], in store: String) {
        guard let first = jobs.first else { return }
        guard jobs.count > 1 else {
            return add(
                "jobs", true, "job \(first.name) can go on: \(ResumeSession.due(first))",
                advice: "\(UserCommand.resume(job: first.name)) continues it.")
        }
        let shown = jobs.prefix(Self.jobsShown).map { "\($0.name) (\(ResumeSession.due($0)))" }
        add(
            "jobs", true,
            "\(jobs.count) jobs can go on: \(shown.joined(separator: ", "))\(jobs.count > shown.count ? ", …" : "")",
            advice: "\(UserCommand.enrichMissing) continues each of them.")
    }

    mutating func checkCatalog(_ path: String) async {
        do throws(StageFailure) {
            let catalog = try Catalog(path)
            let description = try await catalog.describe()
            let problems = try await catalog.problems()
            for problem in problems {
                add(
                    "catalog", false, "\(path) is damaged: \(problem)",
                    advice: Catalog.adviceToRebuild(path))
            }
            guard problems.isEmpty else { return }
            let isTooLarge = description.bytes > Catalog.maxBytesChecked
            let rest =
                isTooLarge ? "; at \(HumanText.bytes(Int(description.bytes))) its pages were not read" : ""
            add(
                "catalog", true,
                "\(path): \(HumanText.count(description.isbns, "ISBN")), built \(description.builtAt)\(rest)")
        } catch {
            add("catalog", false, error.message, advice: Self.advice(error, else: "or build it again"))
        }
    }

    mutating func checkSpace(beside store: String) {
        var facts = statvfs()
        guard statvfs(FolderPath.of(store), &facts) == 0 else {
            return add("disk", false, "the folder of \(store) cannot be looked at", advice: "Does it exist?")
        }
        let free = Int(facts.f_bavail) * Int(facts.f_frsize)
        // A million records take about a gigabyte.
        add(
            "disk", free > 1 << 30, "\(HumanText.bytes(free)) free beside \(store)",
            advice: free > 1 << 30 ? nil : "Make room: a million records take about 1 GiB.")
    }

    mutating func checkDefinitions() {
        let services = checkServices()
        do {
            let definition = try Definitions.csvImport()
            let plan = try Plan(definition, registry: BookStages.registry(.none))
            for value in plan.configuration { note(value, services) }
            if let services { check(services, providers: plan.providers) }
        } catch let failure as CommandFailure {
            add("configuration", false, failure.message, advice: failure.advice)
        } catch {
            add("configuration", false, "\(error)")
        }
    }

    mutating func noteEnvironment() {
        let environment = ProcessInfo.processInfo.environment
        for name in ["ETL_DB", "ETL_CATALOG"] {
            if let value = environment[name], !value.isEmpty {
                settings.append((name, value, "the environment"))
            }
        }
        for path in Definitions.configurationPaths where access(path, F_OK) == 0 {
            add("configuration", true, "\(path) is read")
        }
    }

    /// What is wrong comes first, then what can be done, then what is well, and last the settings.
    func write(to console: Console) throws(CommandFailure) {
        let wrong = findings.filter { !$0.isFine }
        let open = findings.filter { $0.isFine && $0.advice != nil }
        let well = hasNoStore ? "There is no store yet. All else is well." : "All is well."
        let headline =
            wrong.isEmpty ? well : "\(HumanText.count(wrong.count, "thing")) wrong, told first."
        try console.write(console.style(.bold, headline) + "\n\n")
        var table = Table(.init(""), .init("what"), .init("finding"), .init("to do"))
        for finding in wrong + open + findings.filter({ $0.isFine && $0.advice == nil }) {
            let mark = finding.isFine ? finding.advice == nil ? "ok" : "to do" : "WRONG"
            table.add(mark, finding.subject, finding.words, finding.advice.map(console.words.spelled) ?? "")
        }
        try console.write(table)
        try console.write("\n")
        var values = Table(.init("setting"), .init("value"), .init("said by"))
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

/// What `etl doctor` says of services: where each value comes from, and of keys that they are there, never what they are.
extension HealthCheck {
    /// The file of keys, and who sets keys and contact.
    ///
    /// - Returns: What variables and the file of keys say; nil where that file cannot be used.
    mutating func checkServices() -> ServiceSetup? {
        let services: ServiceSetup
        do throws(CommandFailure) {
            services = try ServiceSetup()
        } catch {
            add("keys", false, error.message, advice: error.advice)
            return nil
        }
        if let path = services.keyFile { add("keys", true, "\(path) is read, and by nobody else") }
        for remark in services.remarks {
            add("keys", false, remark, advice: "Write lines of NAME=value, as ETL_ISBNDB_KEY=…")
        }
        for name in ServiceSetup.secrets {
            if let origin = services.origin(of: name) { settings.append((name, "(set, not shown)", origin)) }
        }
        if let origin = services.origin(of: ServiceSetup.contact) {
            settings.append((ServiceSetup.contact, services.value(ServiceSetup.contact) ?? "", origin))
        }
        return services
    }

    /// Reads what variables say of services as a run would, which ends where one of them cannot be read.
    ///
    /// - Parameter wishes: What the definition says of services.
    mutating func check(_ services: ServiceSetup, providers providerSettings: [String: Settings]) {
        var services = services
        services.providerSettings = providerSettings
        do throws(CommandFailure) {
            _ = try services.settings(named: nil, isOffline: false, required: nil)
        } catch {
            add(
                "services", false, error.message,
                advice: error.advice ?? "No import begins before that is right.")
        }
    }

    /// Notes a value of the configuration, as a run goes by it.
    mutating func note(_ value: EffectiveValue, _ services: ServiceSetup?) {
        let value = services?.inForce(value) ?? .init(value)
        settings.append((value.path, value.value, value.origin))
    }
}
