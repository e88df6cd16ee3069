import Pipeline

enum Example {
    static let definition = """
        name: example
        source: { stage: ReadTexts }
        stages:
          - stage: TrimLines
            workers: 2
            settings: { longest: 12 }
        sink: { stage: KeepLines }
        """

    static func registry(reading texts: [String], into sink: KeepLines) -> StageRegistry {
        let settings = [TrimLines.longest.spec]
        return StageRegistry([
            StageFactory(source: "ReadTexts", summary: "Reads texts.") { _ in ReadTexts(texts: texts) },
            StageFactory(stage: "TrimLines", summary: "Trims lines.", settings: settings) { settings in
                TrimLines(longest: settings[TrimLines.longest])
            },
            StageFactory(sink: "KeepLines", summary: "Keeps lines.") { _ in sink },
        ])
    }

    static func plan(_ text: String, _ registry: StageRegistry) throws -> Plan {
        try Plan(DefinitionFile.read(Array(text.utf8), named: "example.yaml"), registry: registry)
    }

    static func run(_ plan: Plan) async throws -> RunReport {
        await Runner(try plan.flow()).run()
    }
}
