/// The sink of a plan, not made yet. What it takes is what the step before it gives.
public struct PlannedSink: Sendable {
    /// The step's name in messages and counts.
    public let name: String
    /// What the step is made by.
    public let recipe: StageRecipe
    /// Its settings, checked; what was not said is the default.
    public let settings: Settings
    let factory: @Sendable (Settings) throws(StageFailure) -> any Sink

    /// Makes it.
    public func make() throws(StageFailure) -> any Sink { try factory(settings) }
}
