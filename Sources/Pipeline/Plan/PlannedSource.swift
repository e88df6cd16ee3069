/// The source of a plan, not made yet.
public struct PlannedSource: Sendable {
    /// The step's name in messages and counts.
    public let name: String
    public let recipe: StageRecipe
    public let settings: Settings
    let factory: @Sendable (Settings) throws(StageFailure) -> any Source

    /// Makes it.
    public func make() throws(StageFailure) -> any Source { try factory(settings) }
}
