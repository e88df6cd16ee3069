import Dispatch
import Testing

@testable import Pipeline

@Suite struct QueueExecutorTests {
    /// Tells whether it runs on its queue.
    private actor Place {
        private static let mark = DispatchSpecificKey<Bool>()
        nonisolated let executor = QueueExecutor(label: "place")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init() { executor.queue.setSpecific(key: Self.mark, value: true) }

        func isHere() -> Bool { Self.isCurrent }

        /// Whether this code runs on the queue of one.
        nonisolated static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }
    }

    @Test func `an actor runs on its queue and its callers do not`() async {
        let place = Place()
        #expect(await place.isHere())
        #expect(!Place.isCurrent)
    }

    @Test func `a task that prefers the queue runs there between its calls of the actor`() async {
        let place = Place()
        let seen = await Task(executorPreference: place.executor) {
            let before = Place.isCurrent
            let within = await place.isHere()
            return [before, within, Place.isCurrent]
        }.value
        #expect(seen == [true, true, true])
    }

    /// Why a sink that writes beside itself names no executor.
    @Test func `child tasks run there too`() async {
        let place = Place()
        let isThere = await Task(executorPreference: place.executor) {
            async let child = Self.look()
            return await child
        }.value
        #expect(isThere)
    }

    @concurrent private static func look() async -> Bool { Place.isCurrent }
}
