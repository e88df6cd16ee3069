import CommandLineTool
import Glibc
import System

StandardStreams.fillGaps()
if let failure = ProcessLimits.prepare() {
    Console.standard(ParsedArguments(command: []), environment: ProcessTexts.environment)
        .report(failure)
    exit(failure.status.rawValue)
}
Allocator.shareOneArena()
Signals.process.start()
Signals.process.explainLostPages()
// Everything else is in Tool.swift, where tests can call it.
let environment = ProcessTexts.environment
let status = await Tool(serve: ServerCommands.run).main(
    ProcessTexts.arguments, environment, refusing: ProcessTexts.failure(environment))
exit(status.rawValue)
