import Contract
import Jobs
import Pipeline
import Store
import Syntax
import System

/// The log of a run (`--log`): each message with its time, level and job, and the rows up to which records were
/// rejected. Lines are appended, as text or as JSON.
final class RunLog: Sendable {
    private let file: Guarded<FileOutlet>
    private let format: LogFormat
    private let clock: any RunClock
    private let job = Guarded<String?>(nil)

    init(_ file: FileOutlet, _ format: LogFormat, clock: any RunClock = SystemClock()) {
        self.file = Guarded(file)
        self.format = format
        self.clock = clock
    }

    /// Adds a message.
    func add(_ diagnostic: Diagnostic, _ words: CommandSpelling) {
        let level =
            switch diagnostic.severity {
            case .error: "error"
            case .warning: "warning"
            case .note: "info"
            case .detail: "debug"
            }
        add(
            level, words.spelled(diagnostic.message), place: diagnostic.place,
            advice: diagnostic.advice.map(words.spelled))
    }

    /// Adds an event's data about the job and its rows.
    func note(_ event: ImportEvent) {
        switch event {
        case .began(let job):
            self.job.withLock { $0 = job.name }
            add("info", "began")
        case .ran(.committed(let end, let records, let rejects)):
            let last = end.record - 1
            add("debug", "committed \(records)", row: last)
            for (code, numbers) in rejects.sorted(by: { $0.key < $1.key }) {
                add("warning", "rejected \(numbers.count): \(code)", row: last)
            }
        default: break
        }
    }

    /// - Parameter row: The last row that the message is about.
    private func add(
        _ level: String, _ message: String, place: String? = nil, advice: String? = nil, row: Int? = nil
    ) {
        let (message, place) = (SpoolName.replaced(in: message), place.map(SpoolName.replaced))
        let time = Timestamp.withoutFraction(clock.epochMilliseconds())
        let name = job.withLock { $0 }
        var line: [UInt8]
        switch format {
        case .json:
            var json = JSONWriter()
            json.object { json in
                json.field("time", time)
                json.field("level", level)
                json.field("job", name)
                json.field("message", message)
                json.field("row", row)
                json.field("place", place)
                json.field("advice", advice)
            }
            line = json.bytes
        case .text:
            let parts = [
                time, level, name.map { "job=\($0)" }, row.map { "row=\($0)" }, place.map { "\($0):" },
                message,
                advice.map { "(\($0))" },
            ]
            let text = FileName.shown(parts.compactMap { $0 }.joined(separator: " "))
            line = Array(text.replacing("\n", with: " ").utf8)
        }
        line.append(UInt8(ascii: "\n"))
        // A log that cannot be written must not end the run.
        _ = file.withLock { file in line.withUnsafeBytes { file.write($0) } }
    }
}
