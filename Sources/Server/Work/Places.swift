/// Places of a queue. Some are always left for other clients: a client that is alone has at most three quarters of them, and
/// one that is not has a quarter.
package struct Places: Sendable, Hashable {
    /// Why there is no place.
    package enum Refusal: Error, Sendable, Hashable {
        /// All places are taken.
        case full
        /// The client has as many as it may.
        case ofClient(limit: Int)
    }

    /// Number of places.
    package let count: Int

    package init(_ count: Int) { self.count = count }

    /// Why a client gets no further place; nil if it gets one.
    ///
    /// - Parameters:
    ///   - taken: Number of places that are taken.
    ///   - own: Number of them that the client has.
    ///   - isAlone: Whether no other client waits or is served.
    package func refusal(taken: Int, own: Int, isAlone: Bool) -> Refusal? {
        if taken >= count { return .full }
        let quarter = count / 4
        let limit = max(1, isAlone ? count - quarter : quarter)
        return own < limit ? nil : .ofClient(limit: limit)
    }
}
