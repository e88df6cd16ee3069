import Foundation
import Pipeline

/// The cost of tasks and channels between stages: an import as it is, compared with one whose stages run in
/// the source's task.
struct ChannelCost {
    let file: String
    /// The folder for the stores.
    let folder: String

    private static let rounds = 5

    func print() async throws {
        var ratios: [Double] = []
        for round in 0...Self.rounds {
            let apart = try await cost(as: "apart") { $0 }
            let fused = try await cost(as: "fused") { Self.fusing($0) }
            // The first round warms up.
            if round > 0 { ratios.append(apart / fused) }
        }
        ratios.sort()
        Swift.print(
            "CPU of stages apart, to fused: median \(ratios[ratios.count / 2])"
                + " (\(ratios[0]) to \(ratios[ratios.count - 1]))")
    }

    private func cost(
        as name: String, reshaping: @escaping @Sendable (Flow) -> Flow
    ) async throws -> Double {
        let began = ProcessTime.seconds
        _ = try await ImportRun(file: file, store: "\(folder)/\(name).sqlite").run(reshaping: reshaping)
        return ProcessTime.seconds - began
    }

    private static func fusing(_ flow: Flow) -> Flow {
        var fused = flow
        for step in flow.stages { fused.source = fuse(fused.source, step.stage) }
        fused.stages = []
        return fused
    }

    private static func fuse<S: Stage>(_ source: any Source, _ stage: S) -> any Source {
        guard let source = source as? any Source<S.Input> else { return source }
        return FusedSource(source: source, stage: stage)
    }
}
