/// The source of a plan, not made yet.
public struct PlannedSource: Sendable {
    /// The step's name in messages and counts.
    public let name: String
    /// What the step is made by.
    public let recipe: StageRecipe
    /// Its settings, checked; what was not said is the default.
    public let settings: Settings
    let factory: @Sendable (Settings) throws(StageFailure) -> any Source

    /// Makes it.
    public func make() throws(StageFailure) -> any Source { try factory(settings) }
}
