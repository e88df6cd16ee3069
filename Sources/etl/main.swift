import Foundation

StandardStreams.fillGaps()
Allocator.shareOneArena()
Signals.process.start()
// One line of work: the rest is in Tool.swift, where tests reach it.
exit(await Tool.main(Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment).rawValue)
