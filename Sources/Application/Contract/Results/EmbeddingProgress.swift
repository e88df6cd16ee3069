package import Syntax

/// Counts of a run that computes vectors of works.
package struct EmbeddingProgress: Sendable, Hashable {
    /// Works that were looked at.
    package var works = 0
    /// Works whose vector is that of their present text.
    package var current = 0
    /// Works without a vector, of which one is computed.
    package var new = 0
    /// Works whose text has changed, of which another one is computed.
    package var changed = 0
    /// Vectors of works that are gone.
    package var removed = 0
    /// Works of which nothing is known.
    package var withoutText = 0
    /// Works without a vector that were left out.
    package var leftOut = 0
    /// Works whose text the model refuses.
    package var refused = 0
    /// Vectors that were not computed, because the run was stopped.
    package var unwritten = 0
    /// The model's name.
    package var model = ""
    /// Dimension of the vectors; 0 if it is not known yet.
    package var dimension = 0

    package init() {}

    /// Vectors that were computed.
    package var computed: Int { new + changed - refused - unwritten }
}

extension EmbeddingProgress: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("model", model)
        out.field("dimension", dimension)
        out.field("works", works)
        out.field("current", current)
        out.field("new", new)
        out.field("changed", changed)
        out.field("removed", removed)
        out.field("withoutText", withoutText)
        out.field("leftOut", leftOut)
        if refused > 0 { out.field("refused", refused) }
        if unwritten > 0 { out.field("unwritten", unwritten) }
    }
}
