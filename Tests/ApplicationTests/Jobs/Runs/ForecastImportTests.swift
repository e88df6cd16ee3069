import TestSupport
import Testing

@testable import Formats
@testable import Jobs

@Suite struct ForecastImportTests {
    @Test func `the survey is reported before records are counted`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "Title,Author,Date Read\nA,Ana Lee,9/2/2020\nB,Ana Lee,3/4/2021\n", to: "a.csv")
        var explicit: [LibrarySurvey] = []
        let forecast = try await ForecastImport(ReadSettings(files: [path]), catalogPaths: []).forecast {
            explicit.append($0)
        }
        #expect(forecast.records == 2)
        #expect(explicit.map(\.recordCount) == [2])
        #expect(explicit.first?.files.first?.warnings.count == 1)
    }
}
