import System
import Testing

@testable import Pipeline

/// A definition that uses every key.
let wholeDefinition = """
    name: numbers
    description: Counts.
    contract: csv_import
    source:
      stage: CountUp
      settings:
        batch: { records: 10, bytes: 1MiB }
    stages:
      - stage: Double
      - stage: Double
        name: again
        workers: 2
        capacity: 8
        settings: { factor: 3 }
    sink: { stage: Collect }
    providers:
      oracle: { baseURL: "http://127.0.0.1:9000" }
    run: { window: 8, waitingBytes: 4MiB, attempts: 5 }
    """

func define(
    _ text: String, over configurations: [ConfigurationFile] = [], set options: [String] = []
) throws(DefinitionError) -> PipelineDefinition {
    var overrides: [DefinitionOverride] = []
    for option in options { overrides.append(try DefinitionOverride(option: option, after: "--set ")) }
    return try DefinitionFile.read(
        Array(text.utf8), named: "p.yaml", over: configurations, overrides: overrides)
}

/// The problems of a definition, one per line; empty if there are none.
private func complaints(_ text: String, set options: [String] = []) -> [String] {
    do throws(DefinitionError) {
        _ = try define(text, set: options)
        return []
    } catch {
        return error.problems.map { "\($0.origin) \($0.code.rawValue)" }
    }
}

private func description(_ text: String, set options: [String] = []) -> String {
    do throws(DefinitionError) {
        _ = try define(text, set: options)
        return ""
    } catch {
        return error.description
    }
}

@Suite struct PipelineDefinitionTests {
    @Test func `every key is read`() throws {
        let definition = try define(wholeDefinition)
        #expect(definition.name == "numbers")
        #expect(definition.description == "Counts.")
        #expect(definition.contract == "csv_import")
        #expect(definition.steps.map(\.name) == ["CountUp", "Double", "again", "Collect"])
        #expect(definition.steps.map(\.stage) == ["CountUp", "Double", "Double", "Collect"])
        #expect(definition.stages[1].parallelism[StepDefinition.workers] == 2)
        #expect(definition.stages[1].parallelism[StepDefinition.capacity] == 8)
        #expect(definition.run[PipelineDefinition.window] == 8)
        #expect(definition.run[PipelineDefinition.waitingBytes] == 4 << 20)
        #expect(definition.run[PipelineDefinition.attempts] == 5)
    }

    @Test func `omitted values have their defaults`() throws {
        let definition = try define(
            "name: a\nsource: { stage: S }\nsink: { stage: T }\nstages: [{ stage: U }]\nrun:")
        #expect(definition.contract == "a")
        #expect(definition.description == nil)
        #expect(definition.stages[0].parallelism[StepDefinition.workers] == nil)
        #expect(definition.stages[0].parallelism[StepDefinition.capacity] == 4)
        #expect(definition.run[PipelineDefinition.window] == 16)
        #expect(definition.run[PipelineDefinition.attempts] == 3)
    }

    @Test(arguments: [
        ("", ["p.yaml:1:1 missing_key"]),
        ("- a", ["p.yaml:1:1 wrong_value"]),
        ("name: a", ["p.yaml:1:1 missing_key", "p.yaml:1:1 missing_key"]),
        ("name: a\nsource: S\nsink: { stage: T }", ["p.yaml:2:9 wrong_value"]),
        (
            "name: a\nsource: { stag: S }\nsink: { stage: T }",
            ["p.yaml:2:9 missing_key", "p.yaml:2:11 unknown_key"]
        ),
        ("name: a/b\nsource: { stage: S }\nsink: { stage: T }", ["p.yaml:1:7 wrong_value"]),
        ("name: [a]\nsource: { stage: S }\nsink: { stage: T }", ["p.yaml:1:7 wrong_value"]),
        (
            "name: a\nsource: { stage: S }\nsink: { stage: T }\nstages: { stage: U }",
            ["p.yaml:4:9 wrong_value"]
        ),
        ("name: a\nsource: { stage: S }\nsink: { stage: S }", ["p.yaml:3:16 duplicate_name"]),
        ("name: a\nsource: { stage: S, workers: 2 }\nsink: { stage: T }", ["p.yaml:2:21 unknown_key"]),
        (
            "name: a\nsource: { stage: S }\nsink: { stage: T }\nrun: { window: 0 }",
            ["p.yaml:4:16 out_of_bounds"]
        ),
        ("name: a\nsource: { stage: S }\nsink: { stage: T }\nrun: { windw: 9 }", ["p.yaml:4:8 unknown_key"]),
        (
            "name: a\nsource: { stage: S }\nsink: { stage: T }\nstages:\n"
                + "  - { stage: U, workers: many }\n  - { stage: V, capacity: 9999 }",
            ["p.yaml:5:26 wrong_value", "p.yaml:6:27 out_of_bounds"]
        ),
    ])
    func `each mistake is reported with line and column`(text: String, expected: [String]) {
        #expect(complaints(text) == expected)
    }

    @Test func `all mistakes are reported at once, in file order`() {
        let text = "nme: a\nsource: { stage: S }\nsnk: { stage: T }\nrun: { window: x }"
        #expect(
            complaints(text) == [
                "p.yaml:1:1 unknown_key", "p.yaml:1:1 missing_key", "p.yaml:1:1 missing_key",
                "p.yaml:3:1 unknown_key", "p.yaml:4:16 wrong_value",
            ])
        #expect(
            description(text).contains(
                "p.yaml:3:1: There is no key `snk` in a pipeline definition. Did you mean `sink`?"))
    }

    @Test func `an absent file is reported as missing, other mistakes as configuration errors`() {
        func load() -> DefinitionError? {
            do throws(DefinitionError) {
                _ = try DefinitionFile.load("no/such/file.yaml")
                return nil
            } catch { return error }
        }
        #expect(load()?.failure.kind == .missing)
        #expect(load()?.problems.first?.code == .unreadable)
        #expect(DefinitionError(DefinitionProblem(.syntax, at: .builtIn, "x")).failure.kind == .configuration)
    }

    @Test func `a directory is not a definition`() {
        func load() -> DefinitionError? {
            do throws(DefinitionError) {
                _ = try DefinitionFile.load(".")
                return nil
            } catch { return error }
        }
        #expect(load()?.problems.first?.code == .unreadable)
    }
}

@Suite struct DefinitionOverrideTests {
    @Test func `an override reaches keys and steps by name`() throws {
        let definition = try define(
            wholeDefinition,
            set: ["name=other", "stages.again.workers=7", "stages.Double.capacity=1", "run.window=3"])
        #expect(definition.name == "other")
        #expect(definition.stages.map { $0.parallelism[StepDefinition.workers] } == [nil, 7])
        #expect(definition.stages.map { $0.parallelism[StepDefinition.capacity] } == [1, 8])
        #expect(definition.run[PipelineDefinition.window] == 3)
    }

    @Test func `the last of two overrides wins`() throws {
        let definition = try define(wholeDefinition, set: ["run.window=3", "run.window=4"])
        #expect(definition.run[PipelineDefinition.window] == 4)
    }

    @Test(arguments: [
        ("run.windw=3", "unknown_key"), ("run.window=many", "wrong_value"), ("run.window=0", "out_of_bounds"),
        ("stages.Duble.workers=1", "unknown_key"), ("name.first=x", "unknown_key"), ("run", "syntax"),
        ("run..window=1", "syntax"), ("=1", "syntax"), ("run={ window: ", "syntax"),
        ("run=[&a b]", "unsupported"),
        ("runn.window=1", "unknown_key"),
    ])
    func `a mistake in an override is reported with the option`(option: String, code: String) {
        #expect(complaints(wholeDefinition, set: [option]) == ["--set \(option) \(code)"])
    }

    @Test(arguments: [
        ("stages.agian.workers=http://user:secret@x", "--set stages.agian.workers=…: "),
        ("run.window=http://x/?secret", "--set run.window=…: "), ("http://user:secret@x", "--set …: "),
        ("http://user:sec=secret@x", "--set …: "), ("run={ window: http://user:secret@x", "--set run=…: "),
        ("name=user@x:secret", "--set name=…: "),
    ])
    func `a problem with an override does not repeat secrets`(option: String, start: String) {
        let said = description(wholeDefinition, set: [option])
        #expect(said.hasPrefix(start), "\(said)")
        #expect(!said.contains("sec") && !said.contains("user"), "\(said)")
    }

    @Test func `a misspelled step name gets a suggestion`() {
        #expect(
            description(wholeDefinition, set: ["stages.agian.workers=1"])
                == "--set stages.agian.workers=1: There is no stage `agian` in the definition. Did you mean `again`?"
        )
    }

    @Test func `a whole mapping can be overridden`() throws {
        let definition = try define(wholeDefinition, set: ["run={ window: 2, attempts: 1 }"])
        #expect(definition.run[PipelineDefinition.window] == 2)
        #expect(definition.run[PipelineDefinition.attempts] == 1)
        #expect(definition.run[PipelineDefinition.waitingBytes] == 8 << 20)
    }

    @Test func `an empty override restores the default`() throws {
        #expect(try define(wholeDefinition, set: ["run.window="]).run[PipelineDefinition.window] == 16)
    }

    @Test func `an environment variable is named as the origin`() throws {
        let override = try DefinitionOverride(
            path: "run.window", value: "x", origin: .environment("ETL_WINDOW"))
        func problem() -> String {
            do throws(DefinitionError) {
                _ = try DefinitionFile.read(
                    Array(wholeDefinition.utf8), named: "p.yaml", overrides: [override])
                return ""
            } catch { return error.description }
        }
        #expect(
            problem().hasPrefix(
                "$ETL_WINDOW: `window` of `run` must be a whole number from 1 to 4096, not `x`."))
    }
}

@Suite struct ConfigurationFileTests {
    private func configuration(_ text: String, _ name: String) throws(DefinitionError) -> ConfigurationFile {
        try ConfigurationFile(Array(text.utf8), named: name)
    }

    @Test func `the definition overrides configuration files key by key`() throws {
        let machine = try configuration("run: { window: 1, attempts: 1, waitingBytes: 1MiB }", "etc.yaml")
        let user = try configuration("run: { window: 2, attempts: 2 }", "home.yaml")
        let definition = try define(
            "name: a\nsource: { stage: S }\nsink: { stage: T }\nrun: { window: 3 }", over: [machine, user])
        #expect(definition.run[PipelineDefinition.window] == 3)
        #expect(definition.run[PipelineDefinition.attempts] == 2)
        #expect(definition.run[PipelineDefinition.waitingBytes] == 1 << 20)
        #expect(
            definition.run.effective(under: "run").map(\.origin.description)
                == ["p.yaml:4:16", "etc.yaml:1:46", "home.yaml:1:29"])
    }

    @Test func `stages are configured by their registered names, in every definition that has them`() throws {
        let machine = try configuration("stages: { A: { workers: 1, settings: { x: 1, y: 1 } } }", "etc.yaml")
        let user = try configuration(
            "stages: { A: { settings: { x: 2, z: 2 } }, T: { settings: { t: 2 } } }", "home.yaml")
        let definition = try define(
            """
            name: a
            source: { stage: S }
            stages: [{ stage: A, name: first, settings: { x: 3 } }, { stage: A }, { stage: B }]
            sink: { stage: T }
            """, over: [machine, user])
        func settings(_ step: StepDefinition) -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: (step.settings?.entries ?? []).map { ($0.key, $0.value.text ?? "") })
        }
        #expect(
            definition.stages.map(settings) == [
                ["x": "3", "y": "1", "z": "2"], ["x": "2", "y": "1", "z": "2"], [:],
            ])
        #expect(definition.stages.map { $0.parallelism[StepDefinition.workers] } == [1, 1, nil])
        #expect(settings(definition.sink) == ["t": "2"])
        #expect(definition.configuredStages.map(\.key) == ["A", "A", "T"])
    }

    @Test(arguments: [
        ("stages: [A]", "c.yaml:1:9"), ("stages: { A: 1 }", "c.yaml:1:14"),
        ("stages: { A: { name: b } }", "c.yaml:1:16"), ("stages: { A: { limit: 1 } }", "c.yaml:1:16"),
    ])
    func `a configured stage has workers, capacity and settings only`(text: String, place: String) {
        #expect {
            _ = try configuration(text, "c.yaml")
        } throws: { error in
            "\(error)".hasPrefix(place)
        }
    }

    @Test func `an empty configuration file is valid, an unknown key is not`() throws {
        #expect(try configuration("", "c.yaml").root.entries?.isEmpty == true)
        #expect(try configuration("~", "c.yaml").root.entries?.isEmpty == true)
        func refused() -> [DefinitionProblem] {
            do throws(DefinitionError) {
                _ = try configuration("runs: { window: 1 }", "c.yaml")
                return []
            } catch { return error.problems }
        }
        #expect(refused().map(\.code) == [.unknownKey])
        #expect(refused().first?.advice == "Did you mean `run`?")
    }
}
