import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Jobs
@testable import Store

/// A Goodreads and a StoryGraph export of one person are compared, and joined as a reviewed list says.
@Suite struct DuplicateFileTests {
    private let library: EditedLibrary

    init() async throws {
        library = try await EditedLibrary()
        try await library.rows(
            [EditedLibrary.dune(review: "Good."), EditedLibrary.emma], as: "goodreads")
        try await importing(EditedLibrary.storyGraph, as: "storygraph")
    }

    @discardableResult
    private func importing(_ text: String, as name: String, in owner: String = "default") async throws -> Job
    {
        var sample = library.sample
        sample.files = [try library.folder.write(text, to: "\(UUID().uuidString).csv")]
        var request = try sample.request(store: library.path)
        request.jobName = name
        request.library = owner
        return try await ImportJob(request, clock: ManualClock()).run().job
    }

    private func list() throws -> DuplicateList {
        try DuplicateList(StoreFile.openForReading(library.path), of: nil, includesSimilar: false)
    }

    private func csv() throws -> String {
        let collector = ByteCollector()
        try list().write(as: .csv) { (piece) throws(ETLError) in collector.take(piece) }
        return collector.text
    }

    private func apply(_ text: String, isDryRun: Bool = false) async throws -> JoinReport {
        let path = try library.folder.write(text, to: "list.csv")
        return try await LibraryEdits(library.path, isDryRun: isDryRun).join(DuplicateFile(path))
    }

    private func entries() throws -> Int64 {
        try StoreFile.openForReading(library.path).number("SELECT count(*) FROM entries")
    }

    @Test func `books of both exports are grouped, and the list proposes what to join`() throws {
        let groups = try list().groups
        #expect(
            groups.map { $0.members.map(\.entry.name.formatName) } == [
                ["generic", "storygraph"], ["generic", "storygraph"],
            ])
        #expect(!groups.contains { !$0.isCertain })
        let lines = try csv().split(separator: "\n").map(String.init)
        #expect(
            lines.count == 5 && lines[0].hasPrefix("group,decision,match,score,reading,library,sourceFormat"))
        #expect(lines[1].hasPrefix("1,keep,") && lines[2].hasPrefix("1,join,same edition,1.0,"))
        #expect(lines[3].hasPrefix("2,keep,") && lines[4].hasPrefix("2,join,"))
    }

    @Test func `joined entries lose nothing, stay joined, and an undo separates them`() async throws {
        let (before, text) = (try library.dump, try csv())
        #expect(try await apply(text, isDryRun: true) == JoinReport(kept: 2, joined: 2))
        #expect(try library.dump == before)
        let report = try await apply(text)
        #expect(report.kept == 2 && report.joined == 2)
        #expect(try entries() == 3)
        #expect(try library.values("id:1", .rating) == ["3.75"])
        #expect(try library.values("id:1", .review) == ["Good.\n\nSandy."])
        #expect(try library.values("id:1", .dateRead) == ["2021-05-26"])
        #expect(try library.values("id:1", .dateStarted) == ["2021-05-18"])
        #expect(try library.values("id:1", .dateAdded) == ["2019-12-01"])
        #expect(try library.values("id:1", .shelves).joined().contains("sand"))
        try library.checkStore()
        #expect(try list().groups.isEmpty)

        let joined = try library.dump
        try await importing(EditedLibrary.storyGraph + "Night,Elie Wiesel,,,read,,,,,,,,No\n", as: "again")
        #expect(try entries() == 4)
        #expect(try library.values("id:1", .review) == ["Good.\n\nSandy."])
        _ = try await library.undo("again")
        #expect(try library.dump == joined)
        _ = try await library.undo(report.jobs.first)
        #expect(try library.dump == before)
        try library.checkStore()
    }

    @Test func `a list of several libraries is a job for each, and each can be undone`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "anna", in: "anna")
        try await importing(EditedLibrary.storyGraph, as: "of anna", in: "anna")
        let (before, report) = (try library.dump, try await apply(try csv()))
        #expect(report.kept == 3 && report.joined == 3 && report.jobs.count == 2)
        #expect(try list().groups.isEmpty)
        for job in report.jobs.reversed() { _ = try await library.undo(job) }
        #expect(try library.dump == before)
        try library.checkStore()
    }

    @Test func `a list that was applied, or a part of it, can be applied again`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "anna", in: "anna")
        try await importing(EditedLibrary.storyGraph, as: "of anna", in: "anna")
        let text = try csv()
        // Stopped after the first library.
        let first = text.split(separator: "\n").filter { !$0.contains(",anna,") }.joined(separator: "\n")
        #expect(try await apply(first).joined == 2)
        let rest = try await apply(text)
        #expect(rest.joined == 1 && rest.alreadyJoined == 2 && rest.jobs.count == 1)
        let joined = try library.dump
        #expect(try await apply(text) == JoinReport(kept: 0, joined: 0, alreadyJoined: 3))
        #expect(try library.dump == joined)

        // Joined to another entry than the list says now.
        let other = text.replacing(",keep,", with: ",-,").replacing(",join,", with: ",keep,")
            .replacing(",-,", with: ",join,")
        let failure = await #expect(throws: ETLError.self) { _ = try await apply(other) }
        #expect(failure?.message.contains("the entry was joined to another one before") == true)
    }

    @Test func `an entry that was joined to one that was joined later has become the last one`() async throws
    {
        try await importing(
            "Id,Title,Author\n1,Alpha,X Y\n2,Alpha,X Y\n3,Alpha,X Y\n", as: "rows", in: "others")
        func list(_ decisions: String...) -> String {
            "group,decision,library,sourceFormat,sourceId\n"
                + decisions.enumerated().map { "1,\($1),others,generic,\($0 + 1)\n" }.joined()
        }
        #expect(try await apply(list("join", "keep", "")).joined == 1)
        #expect(try await apply(list("", "join", "keep")).joined == 1)
        #expect(
            try await apply(list("join", "join", "keep")) == JoinReport(kept: 0, joined: 0, alreadyJoined: 2))
        let failure = await #expect(throws: ETLError.self) {
            _ = try await apply(list("keep", "", "join"))
        }
        #expect(failure?.message.contains("the entry was joined to another one before") == true)
    }

    @Test func `lines without a decision change nothing`() async throws {
        let before = try library.dump
        let text = try csv().replacing(",keep,", with: ",,").replacing(",join,", with: ",,")
        #expect(try await apply(text) == JoinReport(kept: 0, joined: 0))
        #expect(try library.dump == before)
    }

    @Test func `mistakes in the list are named with their line, and nothing is joined`() async throws {
        let (before, text) = (try library.dump, try csv())
        for (change, with, message) in [
            (",keep,", ",join,", "group 1 needs one entry to keep"),
            (",join,", ",maybe,", "`maybe` is not a decision"),
            (",generic,1,", ",generic,77,", "there is no such entry"),
        ] {
            let failure = await #expect(throws: ETLError.self) {
                _ = try await apply(text.replacing(change, with: with))
            }
            #expect(
                failure?.kind == .unusableInput && failure?.message.contains(message) == true, "\(message)")
        }
        #expect(try library.dump == before)
    }

    @Test(arguments: ["library,sourceFormat,sourceId\n", EditedLibrary.storyGraph, "[{\"group\":1}]\n"])
    func `another file is no list of duplicates, and the failure says what one is`(text: String) async throws
    {
        let failure = await #expect(throws: ETLError.self) { _ = try await apply(text) }
        let message = failure?.message ?? ""
        #expect(failure?.kind == .unusableInput && message.contains("list.csv` is not a list of duplicates"))
        #expect(message.contains("group, decision, library, sourceFormat, sourceId"))
        #expect(failure?.advice?.refers(to: UserCommand.duplicateTable) == true)
    }

    @Test func `a work that a group has merged is merged again by the next one, with its former keys`()
        async throws
    {
        try await importing(
            "Id,Title,Author\n1,Alpha,X Y\n2,Beta,X Y\n3,Gamma,X Y\n4,Beta,X Y\n", as: "rows", in: "others")
        let report = try await apply(
            "group,decision,library,sourceFormat,sourceId\n1,keep,others,generic,2\n1,join,others,generic,1\n"
                + "2,keep,others,generic,3\n2,join,others,generic,4\n")
        #expect(report.kept == 2 && report.joined == 2)
        let sql = "SELECT count(*) FROM aliases a JOIN works w ON w.id = a.work WHERE w.title = 'Gamma'"
        #expect(try StoreFile.openForReading(library.path).number(sql) == 2)
        try library.checkStore()
    }

    @Test func `numbers that are no ISBNs are no evidence`() async throws {
        let header = "Id,Title,Author,ISBN\n"
        try await importing(
            header + "1,Sanditon,Jane Austen,0000000000\n2,Sanditon,Jane Austen,0000000000\n"
                + "3,Lesley Castle,Jane Austen,9790060115615\n4,Lesley Castle,Jane Austen,9790060115615\n",
            as: "numbers", in: "others")
        // As if nothing had checked it.
        try Connection(library.path, .readWrite).execute(
            "UPDATE editions SET isbns = '[\"0000000000000\"]' WHERE key LIKE 'title:%'")
        let groups = try DuplicateList(
            StoreFile.openForReading(library.path), of: "others", includesSimilar: false
        ).groups
        #expect(groups.count == 2)
        for group in groups {
            #expect(group.members.allSatisfy { $0.entry.isbns.isEmpty })
            #expect(group.members.last?.match?.evidence == ["for:edition_same"])
        }
    }

    @Test func `books of different people are never compared`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "anna", in: "anna")
        #expect(try list().groups.allSatisfy { Set($0.members.map(\.entry.name.library)).count == 1 })
    }
}
