import FoundationEssentials
import Glibc

StandardStreams.fillGaps()
if let failure = ProcessLimits.prepare() {
    Console.standard(ParsedArguments(command: []), environment: ProcessInfo.processInfo.environment)
        .report(failure)
    exit(failure.status.rawValue)
}
Allocator.shareOneArena()
Signals.process.start()
Signals.process.explainLostPages()
// Everything else is in Tool.swift, where tests can call it.
let status = await Tool.main(
    Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment,
    refusing: ProcessTexts.failure)
exit(status.rawValue)
