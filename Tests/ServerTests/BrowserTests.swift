import Foundation
import Jobs
import Store
import TestSupport
import Testing

@testable import Server

/// The pages in a real browser, as a person uses them.
@Suite(.ownThread, .serialized, .enabled(if: Chromium.path != nil, "needs Chromium"))
struct BrowserTests {
    static let export = """
        Title,Author,ISBN,My Rating
        Reff,Ana Lee,9780306406157,4
        Poems,Ada Example,,
        ,,1,
        Shore,Ben Lo,,5

        """

    /// A server whose catalog has two books of one name by one author.
    static func server() async throws -> RunningServer {
        let folder = try TemporaryFolder()
        let works = (1...2).map { number in
            "/type/work\t/works/OL\(number)W\t1\t2024-01-02T00:00:00\t"
                + #"{"key": "/works/OL\#(number)W", "title": "Poems", "first_publish_date": "19\#(number)0", "authors": [{"author": {"key": "/authors/OL1A"}}]}"#
        }
        let author =
            "/type/author\t/authors/OL1A\t1\t2024-01-02T00:00:00\t"
            + #"{"key": "/authors/OL1A", "name": "Ada Example"}"#
        let dump = try folder.write((works + [author]).joined(separator: "\n") + "\n", to: "dump.txt")
        let sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        let catalog = sample.folder.file("poems.sqlite")
        try await CatalogBuilder(output: catalog).build(from: [dump])
        return try await RunningServer(sample) {
            $0.catalogs = [catalog]
            $0.jobs.imports.catalogPaths = [catalog]
        }
    }

    @Test func `a person imports a file, decides, searches, corrects, undoes and downloads`() async throws {
        let running = try await Self.server()
        let chromium = try Chromium()
        let page = try chromium.page()
        let home = "http://127.0.0.1:\(running.server.port)/"
        try page.open(home)
        try page.wait(forHeading: "Import your library")
        try page.look("home-empty")

        // Drop a file, and see how it is read.
        let text = Self.export.replacing("\n", with: "\\n")
        _ = try page.value(
            """
            (() => {
              const data = new DataTransfer();
              data.items.add(new File(["\(text)"], "mine.csv"));
              document.querySelector("form").dispatchEvent(
                new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
            })()
            """)
        try page.wait(forHeading: "How your file is read")
        #expect(try page.value("document.body.innerText.includes('Ana Lee')") as? Bool == true)
        #expect(try StoreFile.openIfStarted(running.store) == nil, "nothing is stored yet")
        try page.look("inspection")

        // Another program has the store, so the job can be seen while it waits.
        var lock: StoreLock? = try StoreLock(store: running.store)
        try page.click("Import")
        try page.wait(forHeading: "Importing")
        try page.wait(until: "document.querySelector('progress') && document.querySelector('[role=status]')")
        try page.look("progress")
        #expect(lock != nil)
        lock = nil
        // The page updates automatically.
        try page.wait(forHeading: "Import done")
        #expect(
            try page.value("document.querySelector('.counts').innerText.includes('set aside')") as? Bool
                == true)
        try page.look("result")

        // Decide which of two books is meant.
        try page.click("Decide which")
        try page.wait(forHeading: "Which book is it?")
        try page.look("matches")
        _ = try page.value("document.querySelector('input[value=\"openlibrary/OL2W\"]').click()")
        try page.click("Save and apply")
        try page.wait(
            until:
                "document.querySelector('h1').textContent === 'Import done' && !document.body.innerText.includes('Decide which')"
        )

        // Search, correct, and undo.
        try page.click("Library")
        try page.wait(forHeading: "Library")
        try page.look("library")
        _ = try page.value("document.querySelector('#q').value = 'reff'")
        try page.click("Search")
        try page.wait(until: "location.search === '?q=reff'")
        try page.click("Reff")
        try page.wait(forHeading: "Reff")
        try page.click("Correct this book")
        try page.look("book")
        _ = try page.value(
            "document.querySelector('#field').value = 'title'; document.querySelector('#value').value = 'Reef'; document.querySelector('#value').form.requestSubmit()"
        )
        try page.wait(forHeading: "Reef")
        try page.click("Undo")
        try page.wait(forHeading: "Undo this?")
        try page.look("undo")
        try page.click("Undo")
        try page.wait(
            until:
                "document.querySelector('.note')?.textContent.startsWith('Undo of: Corrected title of Reff')")
        #expect(try page.value("document.body.innerText.includes('Reff')") as? Bool == true)

        try page.click("Download")
        try page.wait(forHeading: "Download the library")
        try page.look("downloads")
        try page.click("CSV")
        let download = try chromium.download("library.csv")
        #expect(download.contains("Reff") && download.contains("Shore"))
        try page.open(home)
        try page.wait(until: "document.body.innerText.includes('mine.csv')")
        try page.look("home")
        #expect(page.complaints.isEmpty, "\(page.complaints)")
        try chromium.close()
        await running.server.stop()
    }

    @Test(arguments: ["UTC", "Asia/Kolkata", "America/St_Johns"])
    func `times are in the time zone of the browser`(zone: String) async throws {
        let running = try await RunningServer(importing: true)
        let chromium = try Chromium()
        for (scripts, ending) in [(true, ""), (false, " UTC")] {
            let page = try chromium.page(scripts: scripts)
            try page.session.call("Emulation.setTimezoneOverride", ["timezoneId": zone])
            try page.open("http://127.0.0.1:\(running.server.port)/")
            try page.wait(forHeading: "Import your library")
            let time = try #require(try page.value("document.querySelector('time').dateTime") as? String)
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = scripts ? TimeZone(identifier: zone) : .gmt
            format.dateFormat = "yyyy-MM-dd HH:mm"
            let date = try Date(time, strategy: .iso8601)
            let shown = try page.value("document.querySelector('time').textContent") as? String
            #expect(shown == format.string(from: date) + ending)
        }
        try chromium.close()
        await running.server.stop()
    }

    @Test func `a page of a server that stopped says so`() async throws {
        let running = try await Self.server()
        let file = try running.sample.folder.write(Self.export, to: "mine.csv")
        let chromium = try Chromium()
        let page = try chromium.page()
        try page.open("http://127.0.0.1:\(running.server.port)/")
        try page.wait(forHeading: "Import your library")
        try page.choose(file: file)
        try page.click("Upload")
        try page.wait(forHeading: "How your file is read")
        let lock = try StoreLock(store: running.store)
        try page.click("Import")
        try page.wait(forHeading: "Importing")
        await running.server.stop()
        try page.wait(
            until: "document.querySelector('[role=status]').textContent.includes('does not answer')")
        try page.look("stopped")
        try chromium.close()
        withExtendedLifetime(lock) {}
    }

    @Test func `a person without scripts uploads a file and sees what came out`() async throws {
        let running = try await Self.server()
        let file = try running.sample.folder.write(Self.export, to: "mine.csv")
        let chromium = try Chromium()
        let page = try chromium.page(scripts: false)
        try page.open("http://127.0.0.1:\(running.server.port)/")
        try page.wait(forHeading: "Import your library")
        try page.choose(file: file)
        try page.click("Upload")
        try page.wait(forHeading: "How your file is read")
        var lock: StoreLock? = try StoreLock(store: running.store)
        try page.click("Import")
        try page.wait(forHeading: "Importing")
        #expect(lock != nil)
        lock = nil
        // It is loaded again every two seconds.
        try page.wait(forHeading: "Import done")
        try page.click("See your library")
        try page.wait(forHeading: "Library")
        #expect(try page.value("document.body.innerText.includes('Shore')") as? Bool == true)
        #expect(page.complaints.isEmpty, "\(page.complaints)")
        try chromium.close()
        await running.server.stop()
    }
}
