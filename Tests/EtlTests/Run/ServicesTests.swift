import Foundation
import Stages
import TestSupport
import Testing

@testable import etl

@Suite struct ServicesTests {
    private func settings(
        _ environment: [String: String], named: [String]? = nil, isOffline: Bool = false,
        required: String? = nil
    ) throws(CommandFailure) -> ServiceSettings {
        try Services(environment: environment).settings(
            named: named, isOffline: isOffline, required: required)
    }

    @Test func `a plain import asks nobody`() throws {
        #expect(try settings([:]).isEmpty)
        #expect(try settings(["ETL_CONTACT": ""]).isEmpty)
    }

    @Test func `a contact configures Open Library and Wikidata, a key its own service`() throws {
        let contact = try settings(["ETL_CONTACT": "mailto:a@example.org"])
        #expect(contact.openLibrary?.baseURL == "https://openlibrary.org")
        #expect(contact.openLibrary?.isOperators == false)
        #expect(contact.wikidata != nil && contact.googleBooks == nil && contact.isbndb == nil)
        let keys = try settings(["ETL_GOOGLE_BOOKS_KEY": "g", "ETL_ISBNDB_KEY": "i"])
        #expect(keys.googleBooks?.key == "g" && keys.isbndb?.key == "i")
        #expect(keys.openLibrary == nil && keys.wikidata == nil)
    }

    @Test func `the list of providers decides, and offline goes before all of it`() throws {
        let environment = ["ETL_CONTACT": "x", "ETL_GOOGLE_BOOKS_KEY": "g"]
        #expect(try settings(environment, named: []).isEmpty)
        let google = try settings(environment, named: ["catalog", "google-books"])
        #expect(google.googleBooks != nil && google.openLibrary == nil && google.wikidata != nil)
        #expect(try settings([:], named: ["openlibrary"]).openLibrary != nil)
        #expect(try settings(environment, isOffline: true).isEmpty)
        #expect(try settings([:], required: "openlibrary").openLibrary != nil)
        #expect(throws: CommandFailure.self) { try settings([:], named: ["openlibrary"], required: "isbndb") }
    }

    @Test func `an address of the operator's may be private, and has to be one of the web`() throws {
        let set = try settings(["ETL_OPENLIBRARY_URL": "http://127.0.0.1:9000/openlibrary/"])
        #expect(set.openLibrary == ServiceAddress("http://127.0.0.1:9000/openlibrary", isOperators: true))
        #expect(
            status { () throws(CommandFailure) in
                _ = try settings(["ETL_OPENLIBRARY_URL": "file:///etc"])
            } == 78)
    }

    @Test func `a rate is set for each service, and has to be one`() throws {
        let set = try settings([
            "ETL_ISBNDB_KEY": "i", "ETL_ISBNDB_RATE": "5", "ETL_GOOGLE_BOOKS_RATE": "0.5",
        ])
        #expect(set.rates == ["isbndb": 5, "google-books": 0.5])
        for text in ["0", "-1", "nan", "fast"] {
            #expect(
                status { () throws(CommandFailure) in
                    _ = try settings(["ETL_WIKIDATA_RATE": text])
                } == 78)
        }
    }

    @Test func `ISBNdb without a key and a contradiction are refused`() {
        #expect(
            status { () throws(CommandFailure) in _ = try settings([:], named: ["isbndb"]) } == 78
        )
        #expect(
            status { () throws(CommandFailure) in
                _ = try settings([:], isOffline: true, required: "openlibrary")
            } == 64)
        #expect(
            status { () throws(CommandFailure) in
                _ = try settings(["ETL_GOOGLE_BOOKS_KEY": "g", "ETL_GOOGLE_BOOKS_DAILY": "many"])
            } == 78)
    }

    @Test func `keys come from a file that nobody else can read`() throws {
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

    private func status(_ body: () throws(CommandFailure) -> Void) -> Int32? {
        do throws(CommandFailure) {
            try body()
            return nil
        } catch {
            return error.status.rawValue
        }
    }
}
