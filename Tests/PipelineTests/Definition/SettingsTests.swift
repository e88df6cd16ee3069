import Testing

@testable import Pipeline

private enum Color: String, CaseIterable { case red, green }

private let records = Setting.integer("batch.records", default: 1_024, in: 1...65_536, "Records in a batch.")
private let bytes = Setting.bytes("batch.bytes", default: 1 << 20, in: 4_096...1 << 30, "Bytes in a batch.")
private let limit = Setting<Int?>.integer("limit", in: 0...Int.max, "Records read at most.")
private let share = Setting.number("share", default: 0.5, in: 0...1, "A share.")
private let waitPolicy = Setting.duration(
    "pause", default: .seconds(2), in: .zero ... .seconds(60), "How long.")
private let strict = Setting.flag("strict", default: false, "Strictness.")
private let title = Setting.text("title", default: "none", "A title.")
private let note = Setting<String?>.text("note", "A note.")
private let address = Setting.url("baseURL", default: "https://example.org", "An address.")
private let format = Setting.choice("format", default: "auto", of: ["auto", "goodreads"], "A format.")
private let color = Setting.choice("colour", default: Color.red, "A colour.")
private let providers = Setting.list("providers", default: ["a"], of: ["a", "b"], "Providers.")
private let tags = Setting.list("tags", "Tags.")

private let specs = [
    records.spec, bytes.spec, limit.spec, share.spec, waitPolicy.spec, strict.spec, title.spec, note.spec,
    address.spec, format.spec, color.spec, providers.spec, tags.spec,
]

private func read(_ text: String) throws -> (settings: Settings, problems: [DefinitionProblem]) {
    var reader = SettingsReader("`ReadLibrary`", specs: specs)
    let settings = reader.read(try YAMLReader.read(Array(text.utf8), named: "s.yaml"))
    return (settings, reader.problems)
}

@Suite struct SettingsTests {
    @Test func `every kind of setting is parsed from its text`() throws {
        let (settings, problems) = try read(
            """
            batch: { records: 7, bytes: 64KiB }
            limit: 3
            share: 0.25
            pause: 1500ms
            strict: yes
            title: Dune
            note: "x: y"
            baseURL: http://127.0.0.1:9000/x
            format: goodreads
            colour: green
            providers: [b, a]
            tags: one, two
            """)
        #expect(problems == [])
        #expect(settings[records] == 7)
        #expect(settings[bytes] == 65_536)
        #expect(settings[limit] == 3)
        #expect(settings[share] == 0.25)
        #expect(settings[waitPolicy] == .milliseconds(1_500))
        #expect(settings[strict])
        #expect(settings[title] == "Dune")
        #expect(settings[note] == "x: y")
        #expect(settings[address] == "http://127.0.0.1:9000/x")
        #expect(settings[format] == "goodreads")
        #expect(settings[color] == .green)
        #expect(settings[providers] == ["b", "a"])
        #expect(settings[tags] == ["one", "two"])
    }

    @Test func `absent settings have their defaults`() throws {
        let (settings, problems) = try read("batch:\nformat: ~")
        #expect(problems == [])
        for settings in [settings, .defaults] {
            #expect(settings[records] == 1_024)
            #expect(settings[limit] == nil)
            #expect(settings[waitPolicy] == .seconds(2))
            #expect(settings[color] == .red)
            #expect(settings[providers] == ["a"])
            #expect(!settings.isExplicit(format))
        }
    }

    @Test(arguments: [
        ("batch: 3", "s.yaml:1:8 wrong_value"), ("batch: { records: x }", "s.yaml:1:19 wrong_value"),
        ("batch: { records: 0 }", "s.yaml:1:19 out_of_bounds"),
        ("batch: { records: 99999999999999999999 }", "s.yaml:1:19 wrong_value"),
        ("batch: { records: [1] }", "s.yaml:1:19 wrong_value"),
        ("batch: { bytes: 1XB }", "s.yaml:1:17 wrong_value"),
        ("batch: { bytes: 1B }", "s.yaml:1:17 out_of_bounds"),
        ("batch: { size: 1 }", "s.yaml:1:10 unknown_key"),
        ("batch.records: 3", "s.yaml:1:1 unknown_key"), ("share: nan", "s.yaml:1:8 wrong_value"),
        ("share: 1.5", "s.yaml:1:8 out_of_bounds"), ("pause: 3", "s.yaml:1:8 wrong_value"),
        ("pause: 2m", "s.yaml:1:8 out_of_bounds"), ("strict: maybe", "s.yaml:1:9 wrong_value"),
        ("title: [a]", "s.yaml:1:8 wrong_value"), ("baseURL: ftp://x", "s.yaml:1:10 wrong_value"),
        ("baseURL: http://user:secret@x/", "s.yaml:1:10 wrong_value"),
        ("baseURL: http://x/?secret", "s.yaml:1:10 wrong_value"),
        ("baseURL: http://x/#secret", "s.yaml:1:10 wrong_value"),
        ("baseURL: http://user:sec/ret@x/", "s.yaml:1:10 wrong_value"),
        ("format: goodread", "s.yaml:1:9 wrong_value"),
        ("providers: [c]", "s.yaml:1:12 wrong_value"), ("providers: [[a]]", "s.yaml:1:12 wrong_value"),
        ("[a]", "s.yaml:1:1 wrong_value"), ("fromat: auto", "s.yaml:1:1 unknown_key"),
    ])
    func `a wrong value is reported with its position`(text: String, expected: String) throws {
        let problems = try read(text).problems
        #expect(problems.map { "\($0.origin) \($0.code.rawValue)" } == [expected])
    }

    @Test func `the message states the expected and the actual value`() throws {
        #expect(
            try read("format: goodread").problems.first?.description
                == "s.yaml:1:9: `format` of `ReadLibrary` must be one of auto, goodreads, not `goodread`. "
                + "Did you mean `goodreads`?")
        #expect(
            try read("pause: 30").problems.first?.advice == "Give it a unit: `30s`, `30m` or `30h`.")
        #expect(try read("fromat: auto").problems.first?.advice == "Did you mean `format`?")
    }

    @Test func `a rejected address with a secret is not kept`() throws {
        let settings = try read("baseURL: http://user:secret@x/").settings
        #expect(settings[address] == "https://example.org")
    }

    @Test(arguments: [
        "baseURL: http://anna:secret@x/", "baseURL: http://x/?secret", "baseURL: secret",
        "baseURL: [http://anna:secret@x]", "baseUrl: http://anna:secret@x/", "http://anna:secret@x/: 3",
        "format: http://anna:secret@x/", "pause: http://x/?secret", "providers: [http://anna:secret@x/]",
    ])
    func `a message does not repeat secrets`(text: String) throws {
        let problems = try read(text).problems
        #expect(problems.count == 1)
        #expect(
            problems.allSatisfy { !$0.description.contains("secret") && !$0.description.contains("anna") })
    }

    @Test func `the schema describes itself`() {
        #expect(records.spec.kind.words == "a whole number from 1 to 65536")
        #expect(bytes.spec.kind.words == "a size (such as 1MiB) from 4KiB to 1GiB")
        #expect(
            specs.map(\.defaultText) == [
                "1024", "1MiB", "none", "0.5", "2s", "false", "none", "none", "https://example.org", "auto",
                "red", "[a]", "[]",
            ])
    }

    @Test func `effective values show their origin`() throws {
        let values = try read("batch: { bytes: 8KiB }").settings.effective(under: "source.settings")
        #expect(values[0].description == "source.settings.batch.records = 1024  # default")
        #expect(values[1].description == "source.settings.batch.bytes = 8KiB  # s.yaml:1:17")
    }
}
