package import Syntax

/// Result of `etl covers` for the editions of a library.
package struct CoverCounts: Sendable, Hashable {
    package var editions = 0
    package var saved = 0
    /// Those of the saved ones for which an address with a possibly better image was not answered.
    package var provisional = 0
    /// Editions without an address of a cover.
    package var withoutAddress = 0
    /// Editions whose addresses have no image.
    package var withoutImage = 0
    /// Editions whose service has only a placeholder.
    package var placeholders = 0
    /// Editions whose service did not answer.
    package var unanswered = 0
    /// Distinct images, and their bytes.
    package var images = 0
    package var bytes = 0

    package init() {}
}

extension CoverCounts: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("editions", editions)
        out.field("saved", saved)
        out.field("provisional", provisional)
        out.field("withoutAddress", withoutAddress)
        out.field("withoutImage", withoutImage)
        out.field("placeholders", placeholders)
        out.field("unanswered", unanswered)
        out.field("images", images)
        out.field("bytes", bytes)
    }
}
