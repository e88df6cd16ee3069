package import Pipeline

/// What `etl check --json` says: what a run would go by, or all that is wrong with the definition.
package struct PlanReport: JSONWritable, Sendable {
    /// The pipeline's name; its file's where it has none that can be read.
    package var pipeline: String
    /// Every value and who said it, in the order of the definition.
    package var configuration: [EffectiveValue] = []
    /// The mistakes, in the order of their places; none where it can be run.
    package var problems: [DefinitionProblem] = []

    /// A definition that can be run.
    package init(pipeline: String, configuration: [EffectiveValue]) {
        self.pipeline = pipeline
        self.configuration = configuration
    }

    /// A definition that cannot be run.
    package init(pipeline: String, problems: [DefinitionProblem]) {
        self.pipeline = pipeline
        self.problems = problems
    }

    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("pipeline", pipeline)
            guard problems.isEmpty else {
                out.key("problems")
                out.array { out in
                    for problem in problems {
                        out.object { out in
                            out.field("code", problem.code.rawValue)
                            out.field("place", problem.origin.description)
                            out.field("message", problem.message)
                            out.field("advice", problem.advice)
                        }
                    }
                }
                return
            }
            out.key("configuration")
            out.array { out in
                for value in configuration {
                    out.object { out in
                        out.field("path", value.path)
                        out.field("value", value.value)
                        out.field("origin", value.origin.description)
                    }
                }
            }
        }
    }
}
