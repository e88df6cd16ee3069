import System
import Testing

@testable import CommandLineTool

@Suite struct ExitStatusTests {
    @Test func `exit statuses have their documented numbers`() {
        #expect(
            ExitStatus.allCases.map(\.rawValue) == [
                0, 3, 4, 5, 6, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78, 130, 143,
            ])
    }

    @Test(
        arguments: [
            (ETLError.Kind.transient, 75), (.unusableInput, 65), (.tooLarge, 65), (.missing, 66),
            (.unavailable, 69),
            (.bug, 70),
            (.cannotCreate, 73), (.inputOutput, 74), (.temporary, 75), (.permission, 77),
            (.configuration, 78), (.usage, 64), (.budget, 4),
        ] as [(ETLError.Kind, Int32)])
    func `every kind of failure has its status`(kind: ETLError.Kind, status: Int32) {
        #expect(ExitStatus(kind).rawValue == status)
    }

    @Test func `a failure of a run keeps its position and advice`() {
        let failure = ETLError(
            .unusableInput, "It is no text.", advice: "Look at it.",
            position: Position(byte: 99, line: 7, record: 5))
        let command = CommandFailure(failure, input: "a.csv")
        #expect(command.status == .unusableInput)
        #expect(command.place == "a.csv:7 (record 5, byte 99)")
        #expect(command.advice == "Look at it.")
    }
}
