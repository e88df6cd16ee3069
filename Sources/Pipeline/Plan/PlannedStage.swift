/// A stage of a plan, not made yet. What it takes is what the step before it gives.
public struct PlannedStage: Sendable {
    /// The step's name in messages and counts.
    public let name: String
    /// What the step is made by.
    public let recipe: StageRecipe
    /// Its settings, checked; what was not said is the default.
    public let settings: Settings
    /// Batches it works on at once, from 1.
    public let workers: Int
    /// Batches that may wait before it, from 1.
    public let capacity: Int
    let factory: @Sendable (Settings) throws(StageFailure) -> any Stage

    /// Makes it.
    public func make() throws(StageFailure) -> any Stage { try factory(settings) }
}
