import Testing
@Suite struct Smoke { @Test func builds() { #expect(Bool(true)) } }
