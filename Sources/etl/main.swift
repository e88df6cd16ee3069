import FoundationEssentials
import Glibc

StandardStreams.fillGaps()
Allocator.shareOneArena()
Signals.process.start()
Signals.process.explainLostPages()
// Everything else is in Tool.swift, where tests can call it.
let status = await Tool.main(
    Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment,
    refusing: ProcessTexts.failure)
exit(status.rawValue)
