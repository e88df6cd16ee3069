import System

@testable import Queries
@testable import Store

extension ReviewList {
    /// All listed reviews, held in memory.
    var reviews: [Review] {
        get throws(StageFailure) {
            var all: [Review] = []
            try each { all.append($0) }
            return all
        }
    }

    var openCount: Int { get throws(StageFailure) { try reviews.count { $0.decision == nil } } }

    /// The whole list as CSV.
    func csv(guardsFormulas: Bool = false) throws(StageFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        try write(as: .csv(guardsFormulas: guardsFormulas)) { (piece) throws(StageFailure) in
            bytes.append(contentsOf: piece)
        }
        return bytes
    }
}
