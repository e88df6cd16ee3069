import Contract
package import Syntax

/// The output of `etl test --json`: the fixtures of a pipeline definition, in their order.
package struct PipelineTestReport: JSONWritable, Sendable {
    /// What became of a fixture.
    package enum Verdict: String, Sendable {
        case passed, differs, unknown
        /// Its output became the expected one.
        case written
    }

    private var fixtures: [(name: String, verdict: Verdict, lines: [String])] = []

    /// A report without fixtures.
    package init() {}

    /// Adds a fixture.
    ///
    /// - Parameter lines: Lines of the difference.
    package mutating func add(_ fixture: String, _ verdict: Verdict, lines: [String] = []) {
        fixtures.append((fixture, verdict, lines))
    }

    /// Writes one array of objects.
    package func write(into out: inout JSONWriter) {
        out.array(fixtures) { fixture, out in
            out.field("fixture", fixture.name)
            out.field("verdict", fixture.verdict.rawValue)
            out.key("lines")
            out.array { out in for line in fixture.lines { out.string(line) } }
        }
    }
}
