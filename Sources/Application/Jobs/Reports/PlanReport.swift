import Contract
package import Pipeline
package import Syntax

/// The output of `etl check --json`: the settings of a run, or everything that is wrong with the definition.
package struct PlanReport: JSONObject, Sendable {
    /// The pipeline's name, or the file's name if the definition has no readable one.
    package var pipeline: String
    /// Every value and its origin, in the order of the definition.
    package var configuration: [Value] = []
    /// The mistakes in the order of the file; empty if the definition can be run.
    package var problems: [DefinitionProblem] = []

    /// An effective setting.
    package struct Value: Sendable, Hashable {
        /// The path that `--set` takes.
        package var path: String
        package var value: String
        /// Origin of the value: a place in a file, an option, a variable, or a default.
        package var origin: String

        package init(path: String, value: String, origin: String) {
            self.path = path
            self.value = value
            self.origin = origin
        }

        /// Takes over a value of the plan.
        package init(_ value: EffectiveValue) {
            self.init(path: value.path, value: value.value, origin: value.origin.description)
        }
    }

    /// A report on a definition that can be run.
    package init(pipeline: String, configuration: [Value]) {
        self.pipeline = pipeline
        self.configuration = configuration
    }

    /// A report on a definition that cannot be run.
    package init(pipeline: String, problems: [DefinitionProblem]) {
        self.pipeline = pipeline
        self.problems = problems
    }

    package func writeFields(into out: inout JSONWriter) {
        out.field("pipeline", pipeline)
        guard problems.isEmpty else {
            out.field("problems", problems) { problem, out in
                out.field("code", problem.code.rawValue)
                out.field("place", problem.origin.description)
                out.field("message", problem.message)
                out.field("advice", problem.advice)
            }
            return
        }
        out.field("configuration", configuration) { value, out in
            out.field("path", value.path)
            out.field("value", value.value)
            out.field("origin", value.origin)
        }
    }
}

/// The output of `etl stages --json` for one stage.
extension StageFactory: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("name", name)
        out.field("role", role.rawValue)
        out.field("summary", summary)
        out.field("input", inputWords)
        out.field("output", outputWords)
        out.field("settings", settings) { spec, out in
            out.field("name", spec.name)
            out.field("default", spec.defaultText)
            out.field("mustBe", spec.kind.words)
            out.field("doc", spec.doc)
        }
    }
}
