import Books
package import Syntax

/// The rejects, repairs and warnings of a job, counted by code or rule, most frequent first.
package struct FindingCounts: Sendable, Hashable {
    /// A code or rule and its count.
    package struct Count: Sendable, Hashable {
        /// The code, or the rule's name.
        package var name: String
        /// Number of records; for warnings, how often they occur.
        package var count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// Rejected records by reason, including those set aside.
    package var rejects: [Count]
    /// Records whose ISBN was repaired, by rule.
    package var repairs: [Count]
    /// Warnings about imported records, by code.
    package var warnings: [Count]

    package init(rejects: [Count] = [], repairs: [Count] = [], warnings: [Count] = []) {
        self.rejects = rejects
        self.repairs = repairs
        self.warnings = warnings
    }

    /// Records that were set aside; they do not count against an error budget.
    package var setAside: Int {
        rejects.reduce(0) { sum, reject in
            ReasonCode(rawValue: reject.name)?.isSetAside == true ? sum + reject.count : sum
        }
    }

    /// Writes the three lists as objects of numbers.
    package func writeFields(into out: inout JSONWriter) {
        for (key, counts) in [
            ("rejectedByReason", rejects), ("repairedByRule", repairs), ("warnings", warnings),
        ] {
            counts.write(as: key, into: &out)
        }
    }
}

extension [FindingCounts.Count] {
    /// Writes them as a field, an object of numbers.
    func write(as key: String, into out: inout JSONWriter) {
        out.key(key)
        out.object { out in
            for count in self {
                out.key(count.name)
                count.count.write(into: &out)
            }
        }
    }
}
