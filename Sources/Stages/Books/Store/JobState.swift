import Syntax

/// Where a job stands (contract.md section 7).
package enum JobState: String, JSONWritable, Sendable, CaseIterable {
    case initialized, processing, completed, failed, canceled
}
