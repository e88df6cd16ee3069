import Testing

@testable import Pipeline
@testable import System

@Suite struct RunStateMachineTests {
    private let broken = ETLError(.inputOutput, "The disk is full.")

    @Test func `a run that reads and commits everything is completed`() {
        var machine = RunStateMachine()
        #expect(machine.acceptsBatches)
        machine.sourceEnded()
        #expect(!machine.isComplete)
        machine.sinkEnded()
        #expect(machine.isComplete)
        #expect(machine.outcome == .completed)
    }

    @Test func `a stop accepts no more batches and ends the run as stopped`() {
        var machine = RunStateMachine()
        machine.stopRequested()
        #expect(!machine.acceptsBatches)
        machine.sinkEnded()
        #expect(!machine.isComplete)
        #expect(machine.outcome == .stopped)
    }

    @Test func `a stop after the last record has no effect`() {
        var machine = RunStateMachine()
        machine.sourceEnded()
        machine.stopRequested()
        machine.sinkEnded()
        #expect(machine.outcome == .completed)
    }

    @Test func `the first failure ends the run, later ones are ignored`() {
        var machine = RunStateMachine()
        #expect(machine.failed(broken) == .cancelChannels)
        #expect(machine.failed(ETLError(.bug, "echo")) == .none)
        #expect(!machine.acceptsBatches)
        #expect(machine.outcome == .failed(broken))
        #expect(machine.failure == broken)
    }

    @Test func `a failure while draining fails the run`() {
        var machine = RunStateMachine()
        machine.stopRequested()
        #expect(machine.failed(broken) == .cancelChannels)
        #expect(machine.outcome == .failed(broken))
    }

    @Test func `a batch given up after the last record was read leaves the run stopped`() {
        var machine = RunStateMachine()
        machine.sourceEnded()
        machine.gaveUp()
        machine.sinkEnded()
        #expect(machine.hasGivenUp)
        #expect(!machine.isComplete)
        #expect(machine.outcome == .stopped)
    }

    @Test func `a batch given up because of a failure keeps the failure`() {
        var machine = RunStateMachine()
        _ = machine.failed(broken)
        machine.gaveUp()
        #expect(machine.outcome == .failed(broken))
    }
}
