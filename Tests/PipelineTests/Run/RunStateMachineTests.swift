import Testing

@testable import Pipeline

@Suite struct RunStateMachineTests {
    private let broken = StageFailure(.inputOutput, "The disk is full.")

    @Test func `a run that reads and commits everything is completed`() {
        var machine = RunStateMachine()
        #expect(machine.acceptsBatches)
        machine.sourceEnded()
        #expect(!machine.isComplete)
        machine.sinkEnded()
        #expect(machine.isComplete)
        #expect(machine.outcome == .completed)
    }

    @Test func `a stop lets nothing more in and ends stopped`() {
        var machine = RunStateMachine()
        machine.stopRequested()
        #expect(!machine.acceptsBatches)
        machine.sinkEnded()
        #expect(!machine.isComplete)
        #expect(machine.outcome == .stopped)
    }

    @Test func `a stop after the last record changes nothing`() {
        var machine = RunStateMachine()
        machine.sourceEnded()
        machine.stopRequested()
        machine.sinkEnded()
        #expect(machine.outcome == .completed)
    }

    @Test func `the first failure ends the run and later ones are its echo`() {
        var machine = RunStateMachine()
        #expect(machine.failed(broken) == .cancelChannels)
        #expect(machine.failed(StageFailure(.bug, "echo")) == .none)
        #expect(!machine.acceptsBatches)
        #expect(machine.outcome == .failed(broken))
        #expect(machine.failure == broken)
    }

    @Test func `a failure while draining is a failure`() {
        var machine = RunStateMachine()
        machine.stopRequested()
        #expect(machine.failed(broken) == .cancelChannels)
        #expect(machine.outcome == .failed(broken))
    }

    @Test func `a batch given up after the last record is read leaves the run stopped`() {
        var machine = RunStateMachine()
        machine.sourceEnded()
        machine.gaveUp()
        machine.sinkEnded()
        #expect(machine.hasGivenUp)
        #expect(!machine.isComplete)
        #expect(machine.outcome == .stopped)
    }

    @Test func `a batch given up for a failure leaves the failure`() {
        var machine = RunStateMachine()
        _ = machine.failed(broken)
        machine.gaveUp()
        #expect(machine.outcome == .failed(broken))
    }
}
