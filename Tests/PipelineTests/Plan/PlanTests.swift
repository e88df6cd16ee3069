import Testing

@testable import Pipeline
@testable import System

private struct IntegerBatch: Payload {
    var values: [Int] = []
    var count: Int { values.count }
    var byteCount: Int { values.count * 8 }
}
private struct NumberTexts: Payload {
    var count: Int { 0 }
    var byteCount: Int { 0 }
}
private struct ISBNLists: Payload {
    var count: Int { 0 }
    var byteCount: Int { 0 }
}

private let upTo = Setting.integer("batch.records", default: 5, in: 1...100, "The last number.")
private let batchBytes = Setting.bytes("batch.bytes", default: 1 << 20, in: 1...1 << 30, "Bytes in a batch.")
private let factor = Setting.integer("factor", default: 2, in: 1...10, "The factor.")
private let baseURL = Setting.url("baseURL", default: "https://oracle.example", "Where the oracle is.")

private struct CountUp: Source {
    let last: Int
    var batchLimits = BatchLimits()
    func survey() async throws(ETLError) -> SourceSurvey {
        SourceSurvey(recordCount: last, fingerprints: [])
    }
    func read(from position: Position, into emitter: Emitter<IntegerBatch>) async throws(ETLError) {
        _ = await emitter.emit(IntegerBatch(values: Array(1...last)), end: .start, recordsRead: last)
    }
}
private struct Double: Stage {
    let factor: Int
    let address: String
    func process(_ batch: consuming Batch<IntegerBatch>) async throws(ETLError) -> Batch<IntegerBatch> {
        for index in batch.payload.values.indices { batch.payload.values[index] *= factor }
        return batch
    }
}
private struct Spell: Stage {
    func process(_ batch: consuming Batch<IntegerBatch>) async throws(ETLError) -> Batch<NumberTexts> {
        batch.carrying(NumberTexts())
    }
}
private struct Bind: Stage {
    func process(_ batch: consuming Batch<NumberTexts>) async throws(ETLError) -> Batch<ISBNLists> {
        batch.carrying(ISBNLists())
    }
}
private struct Collect: Sink {
    let seen: Guarded<[Int]>
    func write(_ batch: consuming Batch<IntegerBatch>) async throws(ETLError) {
        let values = batch.payload.values
        seen.withLock { $0 += values }
    }
    func finish() async throws(ETLError) {}
}
private struct Shelve: Sink {
    func write(_ batch: consuming Batch<ISBNLists>) async throws(ETLError) {}
    func finish() async throws(ETLError) {}
}

private func registry(_ seen: Guarded<[Int]> = Guarded([])) -> StageRegistry {
    StageRegistry(
        [
            StageFactory(source: "CountUp", summary: "Counts.", settings: [upTo.spec, batchBytes.spec]) {
                settings in
                CountUp(last: settings[upTo])
            },
            StageFactory(stage: "Double", summary: "Doubles.", settings: [factor.spec], workers: 3) {
                settings in
                Double(factor: settings[factor], address: settings.provider("oracle")[baseURL])
            },
            StageFactory(stage: "Spell", summary: "Spells.") { _ in Spell() },
            StageFactory(stage: "Bind", summary: "Binds.") { _ in Bind() },
            StageFactory(sink: "Collect", summary: "Collects.") { _ in Collect(seen: seen) },
            StageFactory(sink: "Shelve", summary: "Shelves.") { _ in Shelve() },
        ],
        providers: [ServiceSpec("oracle", summary: "Knows.", settings: [baseURL.spec])])
}

private func plan(_ text: String, set options: [String] = []) throws -> Plan {
    try Plan(try define(text, set: options), registry: registry())
}

/// The problems of planning a definition that is valid in itself.
private func complaints(_ text: String, set options: [String] = []) throws -> [DefinitionProblem] {
    let definition = try define(text, set: options)
    do throws(PlanError) {
        _ = try Plan(definition, registry: registry())
        return []
    } catch {
        return error.problems
    }
}

private func pipeline(_ source: String, _ stages: [String], _ sink: String) -> String {
    "name: p\nsource: { stage: \(source) }\nstages:\n"
        + stages.map { "  - { stage: \($0) }\n" }.joined() + (stages.isEmpty ? "  []\n" : "")
        + "sink: { stage: \(sink) }\n"
}

@Suite struct PlanTests {
    @Test func `a complete definition is planned with its settings`() throws {
        let planned = try plan(wholeDefinition)
        #expect(planned.source.settings[upTo] == 10)
        #expect(planned.stages.map(\.name) == ["Double", "again"])
        #expect(planned.stages.map(\.workers) == [3, 2])
        #expect(planned.stages.map(\.capacity) == [4, 8])
        #expect(planned.stages.map { $0.settings[factor] } == [2, 3])
        #expect(planned.providers["oracle"]?[baseURL] == "http://127.0.0.1:9000")
        #expect(planned.attempts == 5)
    }

    @Test func `a plan runs`() async throws {
        let seen = Guarded<[Int]>([])
        let flow = try Plan(try define(wholeDefinition), registry: registry(seen)).flow()
        #expect(flow.window == 8)
        #expect(flow.bytesBeforeStage == 4 << 20)
        #expect((flow.stages.first?.stage as? Double)?.address == "http://127.0.0.1:9000")
        let report = await Runner(flow).run()
        #expect(report.outcome == .completed)
        #expect(seen.withLock { $0 } == (1...10).map { $0 * 6 })
    }

    @Test func `planning makes no stage`() throws {
        let made = Guarded(0)
        let factory = StageFactory(source: "CountUp", summary: "Counts.") { _ in
            made.withLock { $0 += 1 }
            return CountUp(last: 1)
        }
        let registry = StageRegistry([factory] + registry().factories)
        let plan = try Plan(try define(pipeline("CountUp", [], "Collect")), registry: registry)
        #expect(made.withLock { $0 } == 0)
        _ = try plan.flow()
        #expect(made.withLock { $0 } == 1)
    }

    @Test func `a failing factory makes the flow fail`() throws {
        let broken = StageFactory(source: "CountUp", summary: "Counts.") {
            (_) throws(ETLError) -> CountUp in
            throw ETLError(.missing, "The catalog is gone.")
        }
        let registry = StageRegistry([broken] + registry().factories)
        let plan = try Plan(try define(pipeline("CountUp", [], "Collect")), registry: registry)
        func failure() -> ETLError? {
            do throws(ETLError) {
                _ = try plan.flow()
                return nil
            } catch { return error }
        }
        #expect(failure()?.kind == .missing)
    }

    @Test func `an unknown stage gets a suggestion`() throws {
        let problems = try complaints(pipeline("CountUp", ["Duoble"], "Collect"))
        #expect(
            problems.map(\.description) == [
                "p.yaml:4:14: There is no stage `Duoble`. Did you mean `Double`?"
            ])
        #expect(
            try complaints(pipeline("Xyzzy", [], "Collect")).first?.advice
                == "Available here: `CountUp`.")
    }

    @Test func `a stage that a configuration file names must exist, but not in the pipeline`() throws {
        func problems(_ configuration: String) throws -> [String] {
            let definition = try DefinitionFile.read(
                Array(pipeline("CountUp", [], "Collect").utf8), named: "p.yaml",
                over: [try ConfigurationFile(Array(configuration.utf8), named: "c.yaml")])
            do throws(PlanError) {
                _ = try Plan(definition, registry: registry())
                return []
            } catch { return error.problems.map(\.description) }
        }
        #expect(try problems("stages: { Double: { settings: { factor: 3 } } }") == [])
        #expect(
            try problems("stages: { Duoble: { settings: { factor: 3 } } }")
                == ["c.yaml:1:11: There is no stage `Duoble`. Did you mean `Double`?"])
    }

    @Test func `a stage in the wrong place is reported with its right place`() throws {
        #expect(
            try complaints(pipeline("CountUp", ["Collect"], "Shelve")).map(\.description) == [
                "p.yaml:4:14: `Collect` is a sink and cannot be a stage. Move it to `sink:`."
            ])
        #expect(try complaints(pipeline("Double", [], "Collect")).map(\.code) == [.wrongRole])
    }

    @Test func `steps that do not fit are reported, with the stages to put between them`() throws {
        #expect(
            try complaints(pipeline("CountUp", [], "Shelve")).map(\.description) == [
                "p.yaml:5:16: `Shelve` takes “ISBN lists”, but `CountUp` before it produces “integers”. "
                    + "Put `Spell`, then `Bind` between them."
            ])
        #expect(
            try complaints(pipeline("CountUp", ["Spell"], "Collect")).first?.advice
                == "No stage converts “number texts” to “integers”.")
    }

    @Test func `neighbours of an unknown stage are not reported`() throws {
        #expect(try complaints(pipeline("CountUp", ["Nonsense"], "Shelve")).map(\.code) == [.unknownStage])
    }

    @Test func `settings and providers are checked against their schemas`() throws {
        let text = """
            name: p
            source: { stage: CountUp, settings: { batch: { recrds: 3 } } }
            stages:
              - { stage: Double, settings: { factor: 11 } }
              - { stage: Spell, settings: { x: 1 } }
              - { stage: Bind }
            sink: { stage: Shelve }
            providers: { orcale: { baseURL: "http://x" }, oracle: { baseURL: x } }
            """
        let problems = try complaints(text)
        #expect(
            problems.map { "\($0.origin) \($0.code.rawValue)" } == [
                "p.yaml:2:48 unknown_key", "p.yaml:4:42 out_of_bounds", "p.yaml:5:33 unknown_key",
                "p.yaml:8:14 unknown_key", "p.yaml:8:66 wrong_value",
            ])
        #expect(problems[0].advice == "Did you mean `batch.records`?")
        #expect(problems[2].advice == "It has no settings.")
        #expect(problems[3].advice == "Did you mean `oracle`?")
    }

    @Test func `an override reaches settings of stages and providers`() throws {
        let planned = try plan(
            wholeDefinition,
            set: ["stages.Double.settings.factor=9", "providers.oracle.baseURL=http://127.0.0.1:1/"])
        #expect(planned.stages[0].settings[factor] == 9)
        #expect(planned.providers["oracle"]?[baseURL] == "http://127.0.0.1:1/")
    }

    @Test func `the effective configuration shows every value and its origin`() throws {
        let lines = try plan(wholeDefinition, set: ["run.window=3"]).configuration.map(\.description)
        #expect(
            lines == [
                "name = numbers  # p.yaml:1:7",
                "contract = csv_import  # p.yaml:3:11",
                "source.stage = CountUp  # p.yaml:5:10",
                "source.settings.batch.records = 10  # p.yaml:7:23",
                "source.settings.batch.bytes = 1MiB  # p.yaml:7:34",
                "stages.Double.stage = Double  # p.yaml:9:12",
                "stages.Double.workers = 3  # default",
                "stages.Double.capacity = 4  # default",
                "stages.Double.settings.factor = 2  # default",
                "stages.again.stage = Double  # p.yaml:10:12",
                "stages.again.workers = 2  # p.yaml:12:14",
                "stages.again.capacity = 8  # p.yaml:13:15",
                "stages.again.settings.factor = 3  # p.yaml:14:25",
                "sink.stage = Collect  # p.yaml:15:16",
                "providers.oracle.baseURL = http://127.0.0.1:9000  # p.yaml:17:22",
                "run.window = 3  # --set run.window=3",
                "run.waitingBytes = 4MiB  # p.yaml:18:33",
                "run.attempts = 5  # p.yaml:18:49",
            ])
    }

    @Test func `every path of the effective configuration can be overridden`() throws {
        let planned = try plan(wholeDefinition)
        let options = planned.configuration.map { "\($0.path)=\($0.value)" }
        let again = try plan(wholeDefinition, set: options)
        #expect(again.configuration.map { "\($0.path)=\($0.value)" } == options)
        #expect(again.configuration.allSatisfy { if case .option = $0.origin { true } else { false } })
    }

    @Test func `the registry lists what a stage takes and produces`() throws {
        let factory = try #require(registry()["Spell"])
        #expect(factory.role == .stage)
        #expect(factory.inputWords == "integers")
        #expect(factory.outputWords == "number texts")
        #expect(registry()["CountUp"]?.inputWords == nil)
        #expect(registry()["Shelve"]?.inputWords == "ISBN lists")
        #expect(registry()["nothing"] == nil)
    }
}
