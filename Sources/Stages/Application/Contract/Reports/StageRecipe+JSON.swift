package import Pipeline
package import Syntax

/// The output of `etl stages --json` for one stage.
extension StageRecipe: JSONObject {
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
