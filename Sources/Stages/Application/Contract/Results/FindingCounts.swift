import Books
import Syntax

/// What a job found in its records, counted by code or rule, the most frequent first.
package struct FindingCounts: Sendable, Hashable {
    /// A code or rule and how often it was met.
    package struct Count: Sendable, Hashable {
        /// The code, or the rule's name.
        package var name: String
        /// Records, or for warnings, notices.
        package var count: Int

        /// A count with both its parts.
        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// Records that were turned away or set aside, by reason.
    package var rejects: [Count]
    /// Records whose ISBN was repaired, by rule.
    package var repairs: [Count]
    /// Notices about records that were kept, by code.
    package var warnings: [Count]

    /// Counts of all three kinds.
    package init(rejects: [Count] = [], repairs: [Count] = [], warnings: [Count] = []) {
        self.rejects = rejects
        self.repairs = repairs
        self.warnings = warnings
    }

    /// Records that were rightly set aside, and count against no error budget.
    package var setAside: Int {
        rejects.reduce(0) { sum, reject in
            ReasonCode(rawValue: reject.name)?.isSetAside == true ? sum + reject.count : sum
        }
    }

    /// Writes the three as objects of numbers.
    func writeFields(into out: inout JSONWriter) {
        for (key, counts) in [
            ("rejectedByReason", rejects), ("repairedByRule", repairs), ("warnings", warnings),
        ] {
            out.key(key)
            out.object { out in
                for count in counts {
                    out.key(count.name)
                    count.count.write(into: &out)
                }
            }
        }
    }
}
