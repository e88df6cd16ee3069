import Foundation
import Jobs
import Pipeline
import Services
import System
import TestSupport
import Testing

@testable import CommandLineTool
@testable import Sources

@Suite struct ServiceSetupTests {
    private func settings(
        _ environment: [String: String], named: [String]? = nil, isOffline: Bool = false,
        required: String? = nil
    ) throws(CommandFailure) -> ServiceSettings {
        try ServiceSetup(environment: environment).settings(
            named: named, isOffline: isOffline, required: required)
    }

    @Test func `without configuration no service is used`() throws {
        #expect(try settings([:]).isEmpty)
        #expect(try settings(["ETL_CONTACT": ""]).isEmpty)
    }

    @Test func `a contact enables Open Library and Wikidata, a key its own service`() throws {
        let contact = try settings(["ETL_CONTACT": "mailto:a@example.org"])
        #expect(contact.openLibrary?.baseURL == "https://openlibrary.org")
        #expect(contact.openLibrary?.isUserConfigured == false)
        #expect(contact.wikidata != nil && contact.googleBooks == nil && contact.isbndb == nil)
        let keys = try settings(["ETL_GOOGLE_BOOKS_KEY": "g", "ETL_ISBNDB_KEY": "i"])
        #expect(keys.googleBooks?.key == "g" && keys.isbndb?.key == "i")
        #expect(keys.openLibrary == nil && keys.wikidata == nil)
    }

    @Test func `the list of providers decides, and offline overrides everything`() throws {
        let environment = ["ETL_CONTACT": "x", "ETL_GOOGLE_BOOKS_KEY": "g"]
        #expect(try settings(environment, named: []).isEmpty)
        let google = try settings(environment, named: ["catalog", "google-books"])
        #expect(google.googleBooks != nil && google.openLibrary == nil && google.wikidata != nil)
        #expect(try settings([:], named: ["openlibrary"]).openLibrary != nil)
        #expect(try settings(environment, isOffline: true).isEmpty)
        #expect(try settings([:], required: "openlibrary").openLibrary != nil)
        #expect(throws: CommandFailure.self) { try settings([:], named: ["openlibrary"], required: "isbndb") }
    }

    @Test func `an address set by the user may be private but must be HTTP`() throws {
        let set = try settings(["ETL_OPENLIBRARY_URL": "http://127.0.0.1:9000/openlibrary/"])
        #expect(
            set.openLibrary == ServiceEndpoint("http://127.0.0.1:9000/openlibrary", isUserConfigured: true))
        #expect(
            status { () throws(CommandFailure) in
                _ = try settings(["ETL_OPENLIBRARY_URL": "file:///etc"])
            } == 78)
    }

    @Test(arguments: [
        "http://user:CANARY@x/", "http://user:CAN/ARY@x/", "http://x/?token=CANARY", "http://x#CANARY",
        "http:/user:CANARY@x", "user:CANARY@x", "http://", "http://x y",
    ])
    func `an address with user, password or query is rejected and not repeated`(url: String) throws {
        for name in ServiceDefinition.all.map(\.name) {
            let variable = ServiceSetup.variable(name, "URL")
            do throws(CommandFailure) {
                _ = try settings([variable: url])
                Issue.record("\(url) was accepted")
            } catch {
                #expect(error.status == .configuration && error.message.contains(variable))
                #expect(!"\(error)".contains("CAN") && !"\(error)".contains("user:"))
            }
        }
    }

    @Test func `a rate is set for each service and must be a positive number`() throws {
        let set = try settings([
            "ETL_ISBNDB_KEY": "i", "ETL_ISBNDB_RATE": "5", "ETL_GOOGLE_BOOKS_KEY": "g",
            "ETL_GOOGLE_BOOKS_RATE": "0.5",
        ])
        #expect(set.asked.mapValues(\.rate) == ["isbndb": 5, "google-books": 0.5])
        for text in ["0", "-1", "nan", "fast"] {
            #expect(
                status { () throws(CommandFailure) in
                    _ = try settings(["ETL_WIKIDATA_RATE": text])
                } == 78)
        }
    }

    @Test func `ISBNdb without a key and contradictions are rejected`() {
        #expect(
            status { () throws(CommandFailure) in _ = try settings([:], named: ["isbndb"]) } == 78
        )
        #expect(
            status { () throws(CommandFailure) in _ = try settings([:], required: "isbndb") } == 69)
        #expect(
            status { () throws(CommandFailure) in
                _ = try settings([:], isOffline: true, required: "openlibrary")
            } == 64)
        #expect(
            status { () throws(CommandFailure) in
                _ = try settings(["ETL_GOOGLE_BOOKS_KEY": "g", "ETL_GOOGLE_BOOKS_DAILY": "many"])
            } == 78)
    }

    @Test func `unrecognized lines of the key file are reported by number only`() throws {
        let folder = try TemporaryFolder()
        let lines = [
            "# mine", "", "ETL_ISBNDB_KEY = abc=", "CANARY-1", "ETL_GOOGLE_BOKS_KEY=CANARY-2", "CANARY-3=",
            "ETL_CONTACT=", "  ETL_WIKIDATA_RATE=5", " # more",
        ]
        let path = try folder.write(lines.joined(separator: "\r\n"), to: "keys")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let services = try ServiceSetup(environment: ["ETL_KEYS_FILE": path])
        #expect(services.value("ETL_ISBNDB_KEY") == "abc=")
        #expect(services.value("ETL_WIKIDATA_RATE") == "5")
        #expect(services.remarks.count == 4)
        for (remark, line) in zip(services.remarks, [4, 5, 6, 7]) {
            #expect(remark.contains("\(path):\(line): "))
            #expect(!remark.contains("CANARY"))
        }
    }

    @Test func `keys are read from a file that only the owner can read`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("etl"), withIntermediateDirectories: true)
        let path = try folder.write("# mine\nETL_ISBNDB_KEY = abc\n", to: "etl/keys")
        let environment = ["XDG_CONFIG_HOME": folder.path]
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try settings(environment).isbndb?.key == "abc")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(status { () throws(CommandFailure) in _ = try settings(environment) } == 78)
    }

    @Test func `the key file named by a variable is rejected if others can read it`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("ETL_ISBNDB_KEY=CANARY\n", to: "secrets")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let services = try ServiceSetup(environment: [KeyFile.variable: path])
        #expect(services.value("ETL_ISBNDB_KEY") == "CANARY")
        #expect(services.origin(of: "ETL_ISBNDB_KEY") == path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        do throws(CommandFailure) {
            _ = try ServiceSetup(environment: [KeyFile.variable: path])
            Issue.record("keys that others can read were used")
        } catch {
            #expect(error.status == .configuration && error.message.contains("Other users can read"))
            #expect(error.advice == "Run `chmod 600 \(path)`." && !error.message.contains("CANARY"))
        }
        #expect(
            status { () throws(CommandFailure) in
                _ = try settings([KeyFile.variable: folder.file("gone")])
            } == 66)
    }

    @Test func `a key file that cannot be read is distinguished from a missing one`() throws {
        let folder = try TemporaryFolder()
        let keys = try folder.write("ETL_ISBNDB_KEY=k\n", to: "keys")
        let circle = folder.file("circle")
        try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: circle)
        for (path, expected) in [(folder.file("gone"), 66), (keys + "/keys", 66), (circle, 74)]
            as [(String, Int32)]
        {
            #expect(
                status { () throws(CommandFailure) in _ = try settings([KeyFile.variable: path]) } == expected
            )
        }
    }

    @Test func `an empty variable does not set the configuration folder`() {
        #expect(DefaultPaths.configurationFolder(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/etl")
        #expect(DefaultPaths.configurationFolder(["XDG_CONFIG_HOME": "", "HOME": "/h"]) == "/h/.config/etl")
        #expect(DefaultPaths.configurationFolder(["XDG_CONFIG_HOME": "", "HOME": ""]) == nil)
        #expect(DefaultPaths.configurationFolder([:]) == nil)
    }

    @Test func `a provider setting from an option overrides the variable, and from a file does not`() throws {
        func definedSettings(_ option: String?, file: String = "") throws -> [String: Settings] {
            let configuration = try ConfigurationFile(Array(file.utf8), named: "config.yaml")
            let definition = try DefinitionFile.read(
                DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"),
                named: "csv_import.yaml",
                over: [configuration], overrides: option.map { [try DefinitionOverride(option: $0)] } ?? [])
            return try Definitions.definedSettings(definition)
        }
        func asked(_ definedSettings: [String: Settings], _ environment: [String: String]) throws
            -> ServiceSettings
        {
            var services = try ServiceSetup(environment: environment)
            services.definedSettings = definedSettings
            return try services.settings(named: nil, isOffline: false, required: nil)
        }
        let file = "providers:\n  openlibrary: { baseURL: \"http://file.test\", rate: 7 }\n"
        let option = "providers.openlibrary.baseURL=http://option.test"
        let variable = ["ETL_OPENLIBRARY_URL": "http://variable.test"]
        #expect(try asked(definedSettings(nil), [:]).isEmpty)
        let filed = try asked(definedSettings(nil, file: file), [:])
        #expect(filed.openLibrary == ServiceEndpoint("http://file.test", isUserConfigured: true))
        #expect(filed.asked.mapValues(\.rate) == ["openlibrary": 7])
        #expect(
            try asked(definedSettings(nil, file: file), variable).openLibrary?.baseURL
                == "http://variable.test")
        #expect(
            try asked(definedSettings(option, file: file), variable).openLibrary?.baseURL
                == "http://option.test")
        let plan = try asked(
            definedSettings("providers.isbndb.daily=50", file: "providers: { isbndb: { batch: 9 } }\n"),
            ["ETL_ISBNDB_KEY": "k", "ETL_ISBNDB_DAILY": "60"])
        let isbndb = try #require(plan.asked["isbndb"])
        #expect(isbndb.daily == 50 && isbndb.batch == 9)
        #expect(throws: CommandFailure.self) { try definedSettings("providers.isbndb.key=secret") }
    }

    private func status(_ body: () throws(CommandFailure) -> Void) -> Int32? {
        do throws(CommandFailure) {
            try body()
            return nil
        } catch {
            return error.status.rawValue
        }
    }
}
