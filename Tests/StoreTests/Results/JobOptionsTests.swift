import Foundation
import Pipeline
import System
import Testing

@testable import Store

@Suite struct JobOptionsTests {
    private static func options(_ options: [JobOptions.Option: [String]]) -> JobOptions {
        JobOptions(files: ["/a.csv"], definition: nil, options: options)
    }

    private static func refusal(
        of begun: [JobOptions.Option: [String]], by requested: [JobOptions.Option: [String]],
        explicit said: Set<JobOptions.Option>
    ) -> String? {
        do throws(ETLError) {
            try options(begun).check(options(requested), explicit: said, job: "spring")
            return nil
        } catch {
            return error.message
        }
    }

    @Test func `options that are not given are not rejected`() {
        let begun: [JobOptions.Option: [String]] = [.limit: ["10"], .catalog: ["/c.sqlite"], .offline: []]
        #expect(Self.refusal(of: begun, by: [:], explicit: []) == nil)
        #expect(Self.refusal(of: [:], by: begun, explicit: []) == nil)
    }

    @Test func `repeating an option is accepted`() {
        for option in JobOptions.Option.allCases {
            #expect(Self.refusal(of: [option: ["x"]], by: [option: ["x"]], explicit: [option]) == nil)
        }
    }

    @Test func `a changed option is rejected with option and job named`() throws {
        for option in JobOptions.Option.allCases where option != .offline {
            let changed = try #require(
                Self.refusal(of: [option: ["1"]], by: [option: ["2"]], explicit: [option]))
            #expect(
                changed
                    == "Job `spring` was started with \(option.rawValue) 1 and cannot continue with \(option.rawValue) 2."
            )
            let added = try #require(Self.refusal(of: [:], by: [option: ["2"]], explicit: [option]))
            #expect(added.contains("without \(option.rawValue)"))
        }
        let flag = Self.refusal(of: [:], by: [.replace: []], explicit: [.replace])
        #expect(flag == "Job `spring` was started without replace and cannot continue with replace.")
        let order = Self.refusal(
            of: [.catalog: ["/a", "/b"]], by: [.catalog: ["/b", "/a"]], explicit: [.catalog])
        #expect(order?.contains("catalog /a catalog /b") == true)
    }

    @Test func `a job started online can continue offline`() {
        #expect(Self.refusal(of: [:], by: [.offline: []], explicit: [.offline]) == nil)
    }

    @Test func `options round-trip through JSON`() throws {
        let source = DefinitionSource(
            definition: .init(name: "a.yaml", text: "name: a\n"),
            configurations: [.init(name: "c.yaml", text: "run: { window: 2 }\n")],
            overrides: ["run.window=8"])
        var options = Self.options([.map: ["title=Titel,author=\"Autor\u{2028}"], .replace: []])
        options.definition = source
        options.budgets = "5%"
        let data = try JSONEncoder().encode(options)
        #expect(try JSONDecoder().decode(JobOptions.self, from: data) == options)
    }
}
