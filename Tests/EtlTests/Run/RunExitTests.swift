import Pipeline
import Store
import System
import Testing

@testable import CommandLineTool
@testable import Jobs

@Suite struct RunExitTests {
    private static func ending(
        _ end: ImportOutcome.End, rejected: Int = 0, pending: RunExit.Pending = .few, isStrict: Bool = false,
        signal: Int32? = nil
    ) -> RunExit {
        RunExit(
            end, job: "spring", inputs: ["a.csv", "b.csv"], rejected: rejected, pending: pending,
            isStrict: isStrict, signal: signal)
    }

    @Test func `the exit status depends on the run only`() {
        let table: [(RunExit, CommandLineTool.ExitStatus)] = [
            (Self.ending(.completed), .completed),
            (Self.ending(.completed, rejected: 3), .completed),
            (Self.ending(.completed, isStrict: true), .completed),
            (Self.ending(.completed, rejected: 3, isStrict: true), .rejected),
            (Self.ending(.completed, rejected: 3, pending: .all, isStrict: true), .temporary),
            (Self.ending(.completed, pending: .allUntilChange), .unavailable),
            (Self.ending(.stopped, pending: .all, signal: 2), .interrupted),
            (Self.ending(.stopped, signal: 2), .interrupted),
            (Self.ending(.stopped, signal: 15), .terminated),
            (Self.ending(.stopped), .interrupted),
            (Self.ending(.canceled, rejected: 3, isStrict: true), .temporary),
        ]
        for (ending, status) in table { #expect(ending.status == status) }
    }

    @Test func `the advice names the time from which services can be asked`() {
        func advice(_ end: ImportOutcome.End, resumeAt: Int64?) -> String {
            let ending = RunExit(
                end, job: "spring", inputs: [], rejected: 0, pending: .all, resumeAt: resumeAt,
                isStrict: false,
                signal: nil)
            return "\(ending.failure?.advice ?? "")"
        }
        #expect(advice(.completed, resumeAt: 1_000).contains("after 1970-01-01T00:00:01Z"))
        #expect(advice(.completed, resumeAt: nil).contains("later"))
        let pause = JobPause(services: ["isbndb"], resumeAt: 2_000)
        #expect(advice(.paused(pause), resumeAt: nil).contains("after 1970-01-01T00:00:02Z"))
    }

    @Test(arguments: [
        ETLError.Kind.transient, .temporary, .unusableInput, .tooLarge, .missing, .unavailable, .bug,
        .cannotCreate,
        .inputOutput, .permission, .configuration, .usage, .budget,
    ])
    func `a failure has its own status, whatever was rejected`(_ kind: ETLError.Kind) {
        let ending = Self.ending(.failed(ETLError(kind, "No.")), rejected: 1, isStrict: true)
        #expect(ending.status == CommandLineTool.ExitStatus(kind))
        #expect(ending.failure?.status == ending.status)
    }

    @Test func `a signal while waiting for a lock determines the status`() {
        let locked = ETLError(.temporary, "s.sqlite is locked by another process.")
        #expect(RunExit.failureBeforeStart(locked, signal: 2)?.status == .interrupted)
        #expect(RunExit.failureBeforeStart(locked, signal: 15)?.status == .terminated)
        #expect(
            RunExit.failureBeforeStart(locked, signal: 15)?.message.contains("s.sqlite is locked") == true)
        #expect(RunExit.failureBeforeStart(locked, signal: nil) == nil)
        #expect(RunExit.failureBeforeStart(ETLError(.missing, "No."), signal: 15) == nil)
    }

    @Test func `the position names the file of the failure`() {
        let position = Position(file: 1, byte: 70, line: 4, record: 3)
        let ending = Self.ending(.failed(ETLError(.unusableInput, "No.", position: position)))
        #expect(ending.failure?.place?.hasPrefix("b.csv:4") == true)
    }

    @Test func `a failed report does not hide the status of the run`() {
        let full = CommandFailure(.inputOutput, "Full.")
        #expect(CommandLineTool.ExitStatus.completed.after(full) == .inputOutput)
        #expect(CommandLineTool.ExitStatus.completed.after(.readerGone) == .completed)
        for status in CommandLineTool.ExitStatus.allCases where status != .completed {
            #expect(status.after(.readerGone) == status)
            #expect(status.after(full) == status)
        }
    }
}
