import Glibc
import Pipeline
import System

/// A program that answers each line on its standard input by one line on its standard output.
///
/// Lines are sent ahead of their answers, so that the program never waits, and are kept until they are
/// answered. If the program ends or is silent for too long, it is started again and gets the unanswered lines
/// once more. A line at which it fails again and again is given up. All I/O is on a separate queue.
actor LineProgram {
    /// Answer to a line.
    enum Answer: Sendable, Equatable {
        case line([UInt8])
        /// The program failed at this line; the text says how.
        case failed(String)
    }

    private nonisolated let executor = QueueExecutor(label: "etl.program")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let command: [String]
    private let timeLimit: Duration
    private let attempts: Int
    private let stop: StopSignal
    private var process: ProgramProcess?

    /// Maximum length of an answer in bytes.
    static let maximumAnswer = 16 << 20
    /// Maximum length of answers to the lines of one call in bytes.
    static let maximumAnswers = 64 << 20

    /// - Parameters:
    ///   - command: The program, found in the search path, and its arguments.
    ///   - timeLimit: Time limit of one answer.
    ///   - attempts: Maximum number of failures at one line.
    ///   - stop: Once it is raised, no answer is waited for.
    init(_ command: [String], timeLimit: Duration, attempts: Int, stop: StopSignal = StopSignal()) {
        self.command = command
        self.timeLimit = timeLimit
        self.attempts = max(1, attempts)
        self.stop = stop
    }

    /// Sends lines, which have no line ends, and returns their answers in order.
    ///
    /// - Throws: `missing` if the program cannot be started, `transient` if the run is stopped.
    func answers(to lines: [[UInt8]]) throws(ETLError) -> [Answer] {
        var answers: [Answer] = []
        var (failures, bytes) = (0, 0)
        while answers.count < lines.count {
            let process = try running()
            let before = answers.count
            let problem = exchange(lines[before...], with: process) { line in
                bytes += line.count
                answers.append(
                    bytes <= Self.maximumAnswers
                        ? .line(line) : .failed("The program's answers to a batch are longer than 64 MiB."))
            }
            guard let problem else { continue }
            self.process = nil
            let ending = process.end(isEnding: problem == .ended)
            if problem == .stopped {
                throw ETLError(
                    .transient, "The run was stopped while `\(command.first ?? "")` was at work.")
            }
            if ending == .exited(127) || ending == .exited(126) { throw cannotStart("it was not found") }
            if answers.count > before { failures = 0 }
            failures += 1
            guard failures >= attempts else { continue }
            answers.append(.failed(problem == .ended ? ending.words : words(problem)))
            failures = 0
        }
        return answers
    }

    private func words(_ problem: ProgramProcess.Problem) -> String {
        switch problem {
        case .ended: "The program ended."
        case .silent: "The program did not answer within \(DurationText.exact(timeLimit))."
        case .stopped: "The run was stopped."
        case .tooLong: "The program's answer is longer than 16 MiB."
        }
    }

    private func running() throws(ETLError) -> ProgramProcess {
        if let process { return process }
        do throws(SpawnedProcess.CannotStart) {
            let new = try ProgramProcess(command)
            process = new
            return new
        } catch {
            throw cannotStart(String(cString: strerror(error.code)))
        }
    }

    private func cannotStart(_ why: String) -> ETLError {
        ETLError(
            .missing, "The program `\(command.first ?? "")` cannot be started: \(why).",
            advice: "Check `command` in the pipeline definition, and that the file is executable.")
    }

    /// Sends lines and receives answers until all are answered.
    ///
    /// - Returns: Why not all are answered; nil if they are.
    private func exchange(
        _ lines: ArraySlice<[UInt8]>, with process: ProgramProcess, receive: ([UInt8]) -> Void
    ) -> ProgramProcess.Problem? {
        var left = lines.count
        process.send(lines)
        while left > 0 {
            switch process.nextLine(within: timeLimit, unless: stop) {
            case .success(let line):
                receive(line)
                left -= 1
            case .failure(let problem): return problem
            }
        }
        return nil
    }
}
