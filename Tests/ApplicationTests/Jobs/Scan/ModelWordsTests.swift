import Testing

@testable import Jobs

/// Answers of services with image models, as their documentation prints them.
@Suite struct ModelWordsTests {
    private func words(_ body: String, from interface: VisionEndpoint.Interface = .gemini) -> ModelWords? {
        ModelWords(Array(body.utf8), from: interface)
    }

    @Test func `the words of Gemini are in parts, and its thoughts are none of them`() throws {
        let read = try #require(
            words(
                """
                {"candidates":[{"content":{"role":"model","parts":[{"text":"Let me look.","thought":true},\
                {"text":"[{\\"a\\""},{"text":":1}]"}]},"finishReason":"STOP","index":0,"avgLogprobs":-0.1},\
                {"content":{"parts":[{"text":"second"}]}}],"usageMetadata":{"promptTokenCount":1400},\
                "modelVersion":"gemini-2.5-flash","responseId":"abc"}
                """))
        #expect(read.text == #"[{"a":1}]"# && !read.isCutOff && read.refusal == nil)
    }

    @Test(arguments: [
        (#"{"candidates":[{"finishReason":"SAFETY","index":0}]}"#, "SAFETY"),
        (#"{"candidates":[{"finishReason":"RECITATION","content":{"parts":[{"text":"["}]}}]}"#, "RECITATION"),
        (#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}"#, "PROHIBITED_CONTENT"),
    ])
    func `Gemini says why it refuses`(body: String, reason: String) {
        #expect(words(body)?.refusal == reason)
    }

    @Test func `an answer that is cut off says so`() {
        #expect(
            words(#"{"candidates":[{"finishReason":"MAX_TOKENS","content":{"parts":[{"text":"["}]}}]}"#)?
                .isCutOff
                == true)
        #expect(words(#"{"candidates":[{"finishReason":"MAX_TOKENS"}]}"#)?.isCutOff == true)
        #expect(
            words(#"{"choices":[{"finish_reason":"length","message":{"content":"["}}]}"#, from: .openAI)?
                .isCutOff
                == true)
    }

    @Test func `OpenAI's interface has one text, or a refusal`() {
        #expect(
            words(
                #"{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"[]","refusal":null}}]}"#,
                from: .openAI)?.text == "[]")
        #expect(
            words(
                #"{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"I cannot help."}}]}"#,
                from: .openAI)?.refusal == "refusal")
        #expect(
            words(
                #"{"choices":[{"finish_reason":"content_filter","message":{"content":""}}]}"#, from: .openAI)?
                .refusal == "content_filter")
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"candidates":[]}"#, #"{"candidates":[{}]}"#, #"{"choices":[]}"#, "<html>",
    ])
    func `anything else is no answer`(body: String) {
        #expect(words(body) == nil && words(body, from: .openAI) == nil)
    }
}
