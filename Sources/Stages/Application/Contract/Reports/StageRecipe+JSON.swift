package import Pipeline
package import Syntax

/// The output of `etl stages --json` for one stage.
extension StageRecipe: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("name", name)
            out.field("role", role.rawValue)
            out.field("summary", summary)
            out.field("input", inputWords)
            out.field("output", outputWords)
            out.key("settings")
            out.array { out in
                for spec in settings {
                    out.object { out in
                        out.field("name", spec.name)
                        out.field("default", spec.defaultText)
                        out.field("mustBe", spec.kind.words)
                        out.field("doc", spec.doc)
                    }
                }
            }
        }
    }
}
