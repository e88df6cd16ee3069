import Books
import Testing

@Suite("Reason codes")
struct ReasonCodeTests {
    @Test(arguments: ReasonCode.allCases)
    func `each has a stable spelling, a sentence and advice`(reason: ReasonCode) {
        #expect(reason.code.allSatisfy { $0 == "_" || ($0.isASCII && ($0.isLowercase || $0.isNumber)) })
        #expect(reason.sentence.hasSuffix("."))
        #expect(reason.advice.hasSuffix("."))
        #expect(Notice(reason).code == reason.code)
        #expect(Notice(reason).message == reason.sentence)
    }
}
