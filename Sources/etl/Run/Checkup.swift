import Foundation
import Pipeline
import Stages

/// What `etl doctor` finds, and what to do about it.
struct Checkup {
    private struct Finding {
        var subject: String
        var isFine: Bool
        var words: String
        var advice: String?
    }

    private var findings: [Finding] = []
    /// The configuration a run would go by, and who said it.
    var settings: [(name: String, value: String, origin: String)] = []

    var isHealthy: Bool { findings.allSatisfy(\.isFine) }

    mutating func add(_ subject: String, _ isFine: Bool, _ words: String, advice: String? = nil) {
        findings.append(Finding(subject: subject, isFine: isFine, words: words, advice: advice))
    }

    mutating func checkStore(_ path: String) {
        guard access(path, F_OK) == 0 else {
            return add("store", true, "\(path) does not exist yet; the first import makes it")
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
            let unfinished = try JobLedger(connection).all().filter {
                $0.status == .processing || $0.status == .failed
            }
            if StoreLock.isHeld(store: path) {
                add("jobs", true, "a run is writing to \(path) now")
            } else if let job = unfinished.first {
                add(
                    "jobs", true, "job \(job.name) is not finished",
                    advice: "`etl resume \(job.name)` goes on.")
            }
        } catch {
            add("store", false, error.message, advice: error.advice)
        }
    }

    mutating func checkCatalog(_ path: String) async {
        do throws(StageFailure) {
            let description = try await Catalog(path).describe()
            add(
                "catalog", true,
                "\(path): \(HumanText.count(description.isbns, "ISBN")), built \(description.builtAt)")
        } catch {
            add("catalog", false, error.message, advice: error.advice)
        }
    }

    mutating func checkSpace(beside store: String) {
        let folder = (store as NSString).deletingLastPathComponent
        var facts = statvfs()
        guard statvfs(folder.isEmpty ? "." : folder, &facts) == 0 else {
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
        let headline =
            wrong.isEmpty ? "All is well." : "\(HumanText.count(wrong.count, "thing")) wrong, told first."
        try console.write(console.style(.bold, headline) + "\n\n")
        var table = Table(.init(""), .init("what"), .init("finding"), .init("to do"))
        for finding in wrong + open + findings.filter({ $0.isFine && $0.advice == nil }) {
            let mark = finding.isFine ? finding.advice == nil ? "ok" : "to do" : "WRONG"
            table.add(mark, finding.subject, finding.words, finding.advice ?? "")
        }
        try console.write(table)
        try console.write("\n")
        var values = Table(.init("setting"), .init("value"), .init("said by"))
        for setting in settings { values.add(setting.name, setting.value, setting.origin) }
        try console.write(values)
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.field("healthy", isHealthy)
            json.key("findings")
            json.array { json in
                for finding in findings {
                    json.object { json in
                        json.field("subject", finding.subject)
                        json.field("fine", finding.isFine)
                        json.field("finding", finding.words)
                        json.field("advice", finding.advice)
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
