import Testing

@testable import Pipeline

@Suite struct VariableSubstitutionTests {
    private static let variables = ["FILES": "8", "EMPTY": "", "NAME": "mine", "ODD": "${NAME}"]

    private static func definition(
        _ text: String, overrides: [DefinitionOverride] = []
    ) throws(DefinitionError) -> PipelineDefinition {
        try DefinitionFile.read(
            Array(text.utf8), named: "p.yaml", overrides: overrides, variables: { variables[$0] })
    }

    private static func text(description: String) -> String {
        "name: p\ndescription: \(description)\nsource: { stage: A }\nsink: { stage: B }\n"
    }

    @Test(arguments: [
        ("${NAME}", "mine"), ("a ${NAME}b", "a mineb"), ("${NONE:-x y}", "x y"), ("${EMPTY:-x}", "x"),
        ("'${EMPTY}'", ""), ("$${NAME}", "${NAME}"), ("5 $ and $NAME", "5 $ and $NAME"),
        ("${ODD}", "${NAME}"), ("${NAME}${FILES}", "mine8"), ("\"${NONE:-}\"", ""), ("${NONE:-a:-b}", "a:-b"),
    ])
    func `a variable is replaced by its value or its default`(text: String, expected: String) throws {
        #expect(try Self.definition(Self.text(description: text)).description == expected)
    }

    @Test func `numbers, keys and command lines`() throws {
        let text = "name: p\nsource: { stage: A }\nsink: { stage: B }\nrun: { window: '${FILES}' }\n"
        #expect(try Self.definition(text).run[PipelineDefinition.window] == 8)
        let override = try DefinitionOverride(option: "description=${NONE}")
        #expect(try Self.definition(text, overrides: [override]).description == "${NONE}")
        // An override also replaces a value whose variable is not set.
        let unset = text.replacing("${FILES}", with: "${NONE}")
        let window = try DefinitionOverride(option: "run.window=4")
        #expect(try Self.definition(unset, overrides: [window]).run[PipelineDefinition.window] == 4)
    }

    @Test func `all variables that are not set are reported with their places`() {
        let text = "name: ${A}\ndescription: ${B}\nsource: { stage: '${C' }\nsink: { stage: '${9}' }\n"
        do throws(DefinitionError) {
            _ = try Self.definition(text)
            Issue.record("accepted")
        } catch {
            #expect(
                error.problems.map(\.description) == [
                    "p.yaml:1:7: The environment variable `A` is not set. Set it, or write a default: `${A:-default}`.",
                    "p.yaml:2:14: The environment variable `B` is not set. Set it, or write a default: `${B:-default}`.",
                    "p.yaml:3:18: A `${` is not closed by `}`. Write `$${` for a literal `${`.",
                    "p.yaml:4:16: `${9}` is not a variable. Write `${NAME}` or `${NAME:-default}`, and `$${` for a literal `${`.",
                ])
        }
    }

    @Test func `a job's definition keeps the values it was started with`() throws {
        let definition = try Self.definition(Self.text(description: "${NAME} ${NONE:-x}"))
        let source = try #require(definition.definitionSource)
        #expect(source.variables == ["NAME": "mine"])
        #expect(try source.read().description == "mine x")
    }

    @Test func `without variables, a dollar sign has no meaning`() throws {
        let bytes = Array(Self.text(description: "${NAME}").utf8)
        #expect(try DefinitionFile.read(bytes, named: "p.yaml").description == "${NAME}")
    }
}
