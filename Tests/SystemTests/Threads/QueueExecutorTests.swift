import Dispatch
import Testing

@testable import System

@Suite struct QueueExecutorTests {
    /// An actor that reports whether it runs on its queue.
    private actor Place {
        private static let mark = DispatchSpecificKey<Bool>()
        nonisolated let executor = QueueExecutor(label: "place")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init() { executor.queue.setSpecific(key: Self.mark, value: true) }

        func isHere() -> Bool { Self.isCurrent }

        /// Whether the current code runs on the queue of a `Place`.
        nonisolated static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }
    }

    @Test func `an actor runs on its queue, its callers do not`() async {
        let place = Place()
        #expect(await place.isHere())
        #expect(!Place.isCurrent)
    }

    @Test func `a task that prefers the executor runs on it between calls of the actor`() async {
        let place = Place()
        let seen = await Task(executorPreference: place.executor) {
            let before = Place.isCurrent
            let within = await place.isHere()
            return [before, within, Place.isCurrent]
        }.value
        #expect(seen == [true, true, true])
    }

    /// This is why a sink that writes in parallel child tasks names no executor: they would all run on it.
    @Test func `child tasks inherit the executor preference`() async {
        let place = Place()
        let isThere = await Task(executorPreference: place.executor) {
            async let child = Self.look()
            return await child
        }.value
        #expect(isThere)
    }

    @concurrent private static func look() async -> Bool { Place.isCurrent }
}
