import Foundation
import Testing

/// A rule that replaces what differs between runs and machines by something of the same shape.
struct Replacement {
    /// Name of the replaced text.
    let name: String
    /// A regular expression.
    let pattern: String
    /// Replacement, with `$1` for the first group.
    let template: String

    private static let rules = [
        Replacement(
            name: "generated job names",
            pattern: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
            template: "0a1b2c3d-0000-4000-8000-000000000000"),
        Replacement(
            name: "the beginning of a generated job name",
            pattern: "(etl (?:errors|resume|review)(?: --warnings)?|--job) [0-9a-f]{8}\\b",
            template: "$1 0a1b2c3d"),
        Replacement(
            name: "the time", pattern: "\\b20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d",
            template: "2026-01-01T00:00:00"),
        Replacement(name: "milliseconds of the time", pattern: "(:00)\\.\\d{3}Z", template: "$1.000Z"),
        Replacement(
            name: "the time as a number", pattern: "\"timestamp\":\\d{13}",
            template: "\"timestamp\":1767225600000"),
        Replacement(
            name: "milliseconds in JSON", pattern: "\"processingTime\":\\d+", template: "\"processingTime\":1"
        ),
        Replacement(
            name: "durations", pattern: "\\b(?:\\d+ min \\d\\d s|\\d+\\.\\d s)\\b", template: "0.1 s"),
        Replacement(
            name: "ages behind sizes, right-aligned", pattern: "(?m)(KiB) +0\\.1 s$", template: "$1   0.1 s"),
        Replacement(
            name: "quantiles of response times, right-aligned",
            pattern: " {2,}\\d+/\\d+/\\d+\\b", template: String(repeating: " ", count: 11) + "1/1/1"),
        Replacement(
            name: "requests, which depend on how many lookups wait at the same time",
            pattern: "(?m)(?<=^wikidata {1,30})[23](?= )", template: "2"),
        Replacement(
            name: "requests that a service refuses, for the same reason",
            pattern: "(?m)(?<=^openlibrary {1,30})[3-6](?= requests  refused| +[3-6] +0 )", template: "3"),
        Replacement(
            name: "requests that have failed, for the same reason",
            pattern: "(?m)(?<=^openlibrary {1,30}3 {1,30})[3-6](?= +0 )", template: "3"),
        Replacement(name: "ports", pattern: "127\\.0\\.0\\.1:\\d{4,5}", template: "127.0.0.1:8642"),
        Replacement(
            name: "the commit of the build", pattern: "^(etl \\d+\\.\\d+\\.\\d+) \\(.*\\)", template: "$1"),
        Replacement(
            name: "sizes of files and memory", pattern: "\\b\\d+(?:\\.\\d)? (B|KiB|MiB|GiB|TiB)\\b",
            template: "10 $1"),
        Replacement(name: "free disk space", pattern: "10 \\w+ free", template: "10 GiB free"),
    ]

    /// The text after all replacements.
    ///
    /// - Parameter folder: The folder of the session, which becomes `/books`.
    static func all(_ text: String, folder: String) -> String {
        rules.reduce(text.replacingOccurrences(of: folder, with: "/books")) { text, rule in
            text.replacingOccurrences(of: rule.pattern, with: rule.template, options: .regularExpression)
        }
    }
}

@Suite struct ReplacementTests {
    @Test(arguments: [
        ("/x/y/a.csv", "/books/a.csv"),
        ("in 0.3 s, in 12.0 s, in 1 min 05 s", "in 0.1 s, in 0.1 s, in 0.1 s"),
        ("built 2031-11-23T13:02:31Z", "built 2026-01-01T00:00:00Z"),
        ("at 2031-11-23T13:02:31.123Z", "at 2026-01-01T00:00:00.000Z"),
        (#""timestamp":1795957716947}"#, #""timestamp":1767225600000}"#),
        ("etl errors 0f10c0e7 --format csv", "etl errors 0a1b2c3d --format csv"),
        ("read 2031-11-23", "read 2031-11-23"),
        ("12 KiB  61.3 s", "10 KiB   0.1 s"),
        ("0     0          12/13/14", "0     0           1/1/1"),
        ("openlibrary         6       6       0 ", "openlibrary         3       3       0 "),
        ("openlibrary  6 requests  refused", "openlibrary  3 requests  refused"),
        ("etl 0.1.0 (7a3cb09 2026-11-23)", "etl 0.1.0"),
    ])
    func `what varies is replaced and the rest stays`(text: String, replaced: String) {
        #expect(Replacement.all(text, folder: "/x/y") == replaced)
    }
}
