import System

@testable import Queries
@testable import Store

extension ReviewList {
    /// All listed reviews, held in memory.
    var reviews: [Review] {
        get throws(ETLError) {
            var all: [Review] = []
            try each { all.append($0) }
            return all
        }
    }

    var openCount: Int { get throws(ETLError) { try reviews.count { $0.decision == nil } } }

    /// The whole list as CSV.
    func csv(guardsFormulas: Bool = false) throws(ETLError) -> [UInt8] {
        var bytes: [UInt8] = []
        try write(as: .csv(guardsFormulas: guardsFormulas)) { (piece) throws(ETLError) in
            bytes.append(contentsOf: piece)
        }
        return bytes
    }
}
