import Testing

@testable import Pipeline

@Suite struct RunStateMachineTests {
    private let broken = StageFailure(.inputOutput, "The disk is full.")

    @Test func aRunThatReadsAndCommitsEverythingIsCompleted() {
        var machine = RunStateMachine()
        #expect(machine.acceptsBatches)
        machine.sourceEnded()
        #expect(!machine.isComplete)
        machine.sinkEnded()
        #expect(machine.isComplete)
        #expect(machine.outcome == .completed)
    }

    @Test func aStopLetsNothingMoreInAndEndsStopped() {
        var machine = RunStateMachine()
        machine.stopRequested()
        #expect(!machine.acceptsBatches)
        machine.sinkEnded()
        #expect(!machine.isComplete)
        #expect(machine.outcome == .stopped)
    }

    @Test func aStopAfterTheLastRecordChangesNothing() {
        var machine = RunStateMachine()
        machine.sourceEnded()
        machine.stopRequested()
        machine.sinkEnded()
        #expect(machine.outcome == .completed)
    }

    @Test func theFirstFailureEndsTheRunAndLaterOnesAreItsEcho() {
        var machine = RunStateMachine()
        #expect(machine.failed(broken) == .cancelChannels)
        #expect(machine.failed(StageFailure(.bug, "echo")) == .none)
        #expect(!machine.acceptsBatches)
        #expect(machine.outcome == .failed(broken))
        #expect(machine.failure == broken)
    }

    @Test func aFailureWhileDrainingIsAFailure() {
        var machine = RunStateMachine()
        machine.stopRequested()
        #expect(machine.failed(broken) == .cancelChannels)
        #expect(machine.outcome == .failed(broken))
    }

    @Test func aBatchGivenUpAfterTheLastRecordIsReadLeavesTheRunStopped() {
        var machine = RunStateMachine()
        machine.sourceEnded()
        machine.gaveUp()
        machine.sinkEnded()
        #expect(machine.hasGivenUp)
        #expect(!machine.isComplete)
        #expect(machine.outcome == .stopped)
    }

    @Test func aBatchGivenUpForAFailureLeavesTheFailure() {
        var machine = RunStateMachine()
        _ = machine.failed(broken)
        machine.gaveUp()
        #expect(machine.outcome == .failed(broken))
    }
}
