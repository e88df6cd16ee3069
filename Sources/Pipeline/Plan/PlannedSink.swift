/// The sink of a plan, not made yet. What it takes is what the step before it gives.
public struct PlannedSink: Sendable {
    /// The step's name in messages and counts.
    public let name: String
    public let recipe: StageRecipe
    public let settings: Settings
    let factory: @Sendable (Settings) throws(StageFailure) -> any Sink

    /// Makes it.
    public func make() throws(StageFailure) -> any Sink { try factory(settings) }
}
