import Syntax

/// What a scan came to, in numbers.
package struct ScanTotals: Sendable, Hashable {
    package var totalDetected: Int
    /// Sure enough to be taken as they are.
    package var approved: Int
    package var needsReview: Int

    package init(totalDetected: Int, approved: Int, needsReview: Int) {
        self.totalDetected = totalDetected
        self.approved = approved
        self.needsReview = needsReview
    }

    func writeFields(into out: inout JSONWriter) {
        out.field("totalDetected", totalDetected)
        out.field("approved", approved)
        out.field("needsReview", needsReview)
    }
}
