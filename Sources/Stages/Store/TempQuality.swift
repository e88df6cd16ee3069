package import Pipeline
package enum QualityFigures {
    package static func read(of job: Job, from connection: Connection) throws(StageFailure) -> QualityTally { QualityTally() }
}
package enum StoreCheck {
    package static func problems(_ connection: Connection) throws(StageFailure) -> [String] { [] }
}
