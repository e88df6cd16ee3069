import Testing

@testable import CommandLineTool
@testable import Services
@testable import System

@Suite struct FailureTextTests {
    private func text(_ outcome: LookupOutcome, _ error: ServiceError? = nil) -> String {
        var metrics = ServiceMetrics()
        if let error { metrics.noteFailed(outcome, error) }
        return FailureText.of(outcome, of: "openlibrary", metrics)
    }

    @Test func `each reason has words of its own`() {
        let open = LookupOutcome.allCases.filter { !$0.isAnswered }
        #expect(Set(open.map { text($0) }).count == open.count)
    }

    @Test func `the cause of a failure is named`() {
        func error(_ detail: String) -> ServiceError {
            ServiceError(detail, address: "https://openlibrary.org")
        }
        #expect(
            text(.unreachable, error("could not resolve host name"))
                == "could not be reached (could not resolve host name)")
        #expect(
            text(.insecure, error("certificate has expired"))
                == "could not be reached securely (certificate has expired)")
    }

    @Test func `the status of an error is named`() {
        let address = "https://openlibrary.org"
        #expect(
            text(.serverError, ServiceError(503, address: address))
                == "answered with an error (503 Service Unavailable)")
        #expect(text(.serverError, ServiceError(599, address: address)) == "answered with an error (599)")
    }

    @Test func `a refused connection names the address, and the variable if it was configured`() {
        #expect(
            text(.connectionRefused, ServiceError(nil, address: "https://openlibrary.org/api/books.json"))
                == "refused the connection at https://openlibrary.org/api/books.json")
        #expect(
            text(.connectionRefused, ServiceError(nil, address: "http://127.0.0.1:9/api/books.json"))
                == "refused the connection at http://127.0.0.1:9/api/books.json (check ETL_OPENLIBRARY_URL)")
    }
}
