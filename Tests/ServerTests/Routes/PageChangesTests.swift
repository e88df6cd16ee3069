import Database
import Foundation
import Store
import System
import TestSupport
import Testing

@testable import Server

/// Corrections on pages, and taking changes back, as a browser without scripts does it.
@Suite(.ownThread) struct PageChangesTests {
    /// Tokens `abc` of anna, `def` of ben, and `ghi` of a user who may only search.
    private static let tokens = """
        anna ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad search,import anna
        ben cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34 search,import ben
        reader 50ae61e841fac4e8f9e40baf2ad36ec868922ea48368c18f9535e47db56dd7fb search
        """

    @Test func `an import is undone after a look at what that changes, and so is the undo`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let path = try browser.importFile("Title,Author\nReef,Ana Lee\nShore,Ben Lo\n", name: "mine.csv")
        let undo = try browser.done(path).link("/page/undo")
        let preview = try browser.open(undo)
        #expect(preview.status == 200 && preview.text.contains("Imported mine.csv"))
        #expect(preview.text.contains(#"<td data-name="What">Entries</td><td data-name="Removed">2</td>"#))
        #expect(try browser.open("/page/library").text.contains("Reef"), "nothing was changed yet")
        let done = try browser.send("/page/undo", preview.hiddenFields)
        #expect(done.answer.status == 303 && done.next.hasPrefix("/page/library?changed="))
        let library = try browser.open(done.next)
        #expect(library.text.contains("Undo of: Imported mine.csv") && library.text.contains("no books here"))
        #expect(try browser.open(path).text.contains("It was undone"))
        #expect(try !browser.open(path).text.contains("Undo this import"))
        for part in ["results.json", "errors.csv"] {
            #expect(try browser.open("\(path)/\(part)").status == 404, "it has none any more")
        }
        // Sending the form again changes nothing.
        #expect(try browser.send("/page/undo", preview.hiddenFields).answer.status == 400)
        let again = try browser.open(try library.link("/page/undo"))
        #expect(again.text.contains(#"<td data-name="Restored">2</td>"#))
        #expect(try browser.send("/page/undo", again.hiddenFields).answer.status == 303)
        #expect(try browser.open("/page/library").text.contains("Reef"))
        #expect(try !browser.open(path).text.contains("It was undone"))
        await browser.running.server.stop()
    }

    @Test func `a look at an undo does not wait for a job that writes`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let path = try browser.importFile("Title,Author\nReef,Ana Lee\n", name: "mine.csv")
        let undo = try browser.done(path).link("/page/undo")
        let lock = HeldLock()
        try #require(lock.take(browser.running.store))
        let preview = try browser.open(undo)
        #expect(preview.status == 200 && preview.text.contains("Imported mine.csv"))
        lock.release()
        await browser.running.server.stop()
    }

    @Test func `pages read only the jobs that they show`() async throws {
        let running = try await RunningServer()
        let browser = PageBrowser(running)
        var paths: [String] = []
        for number in 1...7 {
            let path = try browser.importFile("Title,Author\nReef \(number),Ana Lee\n", name: "\(number).csv")
            _ = try browser.done(path)
            paths.append(path)
        }
        let undo = try browser.open(paths[5]).link("/page/undo")
        // Whoever reads the first job fails.
        try Connection(running.store, .readWrite).execute("UPDATE jobs SET run_state = '{' WHERE id = 1")
        let library = try browser.open("/page/library").text
        #expect(library.contains("Imported 7.csv") && library.contains("Imported 3.csv"))
        #expect(!library.contains("Imported 2.csv"))
        #expect(try browser.open("/page/admin").status == 200)
        #expect(try browser.open("/").text.contains("7.csv"))
        #expect(try browser.open(undo).status == 503, "an undo has to know all jobs")
        var seen = 0
        let jobs = running.server.backend.jobs
        let latest = jobs.recent(most: 2) { _ in
            seen += 1
            return true
        }
        #expect(latest.map(\.options.names) == [["7.csv"], ["6.csv"]] && seen == 2)
        await running.server.stop()
    }

    @Test func `a book is corrected on its page, whose history says what was changed`() async throws {
        let browser = PageBrowser(try await RunningServer())
        _ = try browser.done(try browser.importFile("Title,Author,ISBN\nReff,Ana Lee,9780306406157\n"))
        let place = try browser.open("/page/library").link("/page/book")
        let id = String(place.split(separator: "=").last ?? "")
        let page = try browser.open(place)
        #expect(page.text.contains("Correct this book") && page.text.contains("<option value=\"rating\">"))
        #expect(page.text.contains("Imported library.csv"))
        for (form, reason) in [
            ("id=\(id)&field=pageCount&value=many", "`many` is not a value"),
            ("id=\(id)&field=isbn&value=123", "An ISBN has 10 or 13 digits"),
            ("id=\(id)&field=title&value=+", "A book has a title."),
        ] {
            let refused = try browser.send("/page/book", form).answer
            #expect(refused.status == 400 && refused.text.contains("role=\"alert\""), "\(refused.text)")
            #expect(refused.text.contains(reason) && refused.text.contains("<details open>"))
        }
        #expect(try browser.send("/page/book", "id=\(id)&field=colour&value=red").answer.status == 400)
        #expect(try browser.send("/page/book", "id=title:nothing&field=title&value=a").answer.status == 404)
        let saved = try browser.send("/page/book", "id=\(id)&field=title&value=Reef+%26+Sea")
        #expect(saved.answer.status == 303)
        let corrected = try browser.open(saved.next)
        #expect(corrected.text.contains("<h1>Reef &amp; Sea</h1>"))
        #expect(corrected.text.contains("<del>Reff</del> → <ins>Reef &amp; Sea</ins>"))
        // Found by an ISBN that it has no longer.
        let byISBN = try browser.send("/page/book", "id=9780306406157&field=isbn&value=9780441013593")
        #expect(try browser.open(byISBN.next).text.contains("9780441013593"))
        await browser.running.server.stop()
    }

    @Test func `an entry is changed in a form with its values, and only where they were changed`()
        async throws
    {
        let browser = PageBrowser(try await RunningServer())
        _ = try browser.done(
            try browser.importFile(
                "Book Id,Title,Author,Author l-f,Additional Authors,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review\n"
                    + "1,Reef,Ana Lee,\"Lee, Ana\",,9780306406157,4,2020/02/03,2020/01/02,sea,read,\"Good.\nVery <b>good</b>.\"\n"
            ))
        let place = try browser.open("/page/library").link("/page/book")
        let page = try browser.open(place).text
        for part in [
            "<option value=\"4\" selected>4 of 5 stars</option>",
            "<option value=\"read\" selected>Read</option>",
            "type=\"date\" value=\"2020-02-03\"", "Good.\nVery &lt;b&gt;good&lt;/b&gt;.</textarea>",
            "name=\"shelves\" value=\"sea\"",
        ] {
            #expect(page.contains(part), "\(part) \(page)")
        }
        let format = try #require(page.firstMatch(of: #/name="format" value="([^"]+)"/#)?.1)
        let id = "id=9780306406157&entry=1&format=\(format)&library=default"
        let review =
            "was.review=Good.%0D%0AVery+%3Cb%3Egood%3C%2Fb%3E.&review=Good.%0D%0AVery+%3Cb%3Egood%3C%2Fb%3E."
        let saved = try browser.send(
            "/page/entry", "\(id)&was.rating=4&rating=3.5&was.shelves=sea&shelves=sea;+blue&\(review)")
        #expect(saved.answer.status == 303 && saved.next.contains("changed="))
        let after = try browser.open(saved.next).text
        #expect(after.contains("Saved. ") && after.contains("3.5 of 5 stars") && after.contains("sea; blue"))
        #expect(after.contains("<ins>3.5</ins>") && !after.contains("<del>Good"))
        let unchanged = try browser.send("/page/entry", "\(id)&was.rating=3.5&rating=3.5")
        #expect(unchanged.answer.status == 303 && !unchanged.next.contains("changed="))
        let late = try browser.send("/page/entry", "\(id)&was.rating=4&rating=5").answer
        #expect(
            late.status == 409 && late.text.contains("Changed since you opened this page, and now: ")
                && late.text.contains("“3.5”"),
            "a page that was open in another tab")
        #expect(late.text.contains("<option value=\"5\" selected>"))
        let backwards = try browser.send("/page/entry", "\(id)&was.dateStarted=&dateStarted=2020-03-01")
            .answer
        #expect(
            backwards.status == 400
                && backwards.text.contains("finished on 2020-02-03, before it was started"))

        let refused = try browser.send(
            "/page/entry", "\(id)&was.dateRead=2020-02-03&dateRead=soon&was.notes=&notes=Lent+out"
        ).answer
        #expect(refused.status == 400 && refused.text.contains("`soon` is not a value of dateRead"))
        #expect(refused.text.contains("Lent out</textarea>"), "nothing that was typed is lost")
        #expect(
            try browser.send(
                "/page/entry", "id=9780306406157&entry=2&format=\(format)&library=default&rating=1"
            ).answer.status
                == 404)
        #expect(refused.text.contains("type=\"text\" value=\"soon\""), "a calendar would show nothing")
        do {
            let lock = try StoreLock(store: browser.running.store)
            let locked = try browser.send("/page/entry", "\(id)&was.notes=&notes=Lent+to+Bo").answer
            #expect(locked.status == 409 && locked.text.contains("Lent to Bo</textarea>"), "\(locked.text)")
            withExtendedLifetime(lock) {}
        }
        let undone = try browser.open(try browser.open(saved.next).link("/page/undo"))
        #expect(try browser.send("/page/undo", undone.hiddenFields).answer.status == 303)
        #expect(try browser.open(place).text.contains("4 of 5 stars"))
        await browser.running.server.stop()
    }

    @Test func `of two programs with the same id, the entry of the book is changed`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let goodreads =
            "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n"
        _ = try browser.done(
            try browser.importFile(
                goodreads + "7,Reef,Ana Lee,\"Lee, Ana\",,,9780306406157,4,,,,,,,,2020/01/02,,,read,,,,1,0\n")
        )
        _ = try browser.done(
            try browser.importFile("Book Id,Title,Author,ISBN13,My Rating\n7,Garden,Cy Ek,9783150000014,2\n"))
        let place = try browser.open("/page/library?q=garden").link("/page/book")
        let page = try browser.open(place).text
        let format = try #require(page.firstMatch(of: #/name="format" value="([^"]+)"/#)?.1)
        let saved = try browser.send(
            "/page/entry",
            "id=9783150000014&entry=7&format=\(format)&library=default&was.rating=2&rating=5")
        #expect(saved.answer.status == 303)
        #expect(try browser.open(saved.next).text.contains("5 of 5 stars"))
        let other = try browser.open(try browser.open("/page/library?q=reef").link("/page/book")).text
        #expect(other.contains("4 of 5 stars") && !format.isEmpty)
        await browser.running.server.stop()
    }

    @Test func `later changes are named before they are undone too, and none that the page did not name`()
        async throws
    {
        let browser = PageBrowser(try await RunningServer())
        let path = try browser.importFile("Title,Author\nReff,Ana Lee\n")
        let undo = try browser.done(path).link("/page/undo")
        let early = try browser.open(undo).hiddenFields
        let place = try browser.open("/page/library").link("/page/book")
        let id = String(place.split(separator: "=").last ?? "")
        #expect(try browser.send("/page/book", "id=\(id)&field=title&value=Reef").answer.status == 303)
        let refused = try browser.send("/page/undo", early).answer
        #expect(refused.status == 409 && refused.text.contains("has changed since"))
        #expect(try browser.open("/page/library").text.contains("Reef"))
        let preview = try browser.open(undo)
        #expect(
            preview.text.contains("<li>Corrected title of Reff</li>")
                && preview.text.contains("Undo all 2 changes"))
        #expect(try browser.send("/page/undo", preview.hiddenFields).answer.status == 303)
        #expect(try browser.open("/page/library").text.contains("no books here"))
        await browser.running.server.stop()
    }

    @Test func `a token undoes only what its own library had`() async throws {
        let running = try await RunningServer(
            tokens: try ServerTokens(parsing: Self.tokens, named: "tokens"))
        let (anna, ben) = (try PageBrowser(running, token: "abc"), try PageBrowser(running, token: "def"))
        let reader = try PageBrowser(running, token: "ghi")
        let path = try anna.importFile("Title,Author\nReef,Ana Lee\n", name: "anna.csv")
        let undo = try anna.done(path).link("/page/undo")
        let form = try anna.open(undo).hiddenFields
        // Ben sees neither the job nor its actions, and cannot guess it.
        #expect(try !ben.open("/page/library").text.contains("anna.csv"))
        #expect(try ben.open(undo).status == 404)
        #expect(try ben.send("/page/undo", form).answer.status == 404)
        // A user with search access changes nothing.
        let page = try reader.open("/page/library")
        #expect(page.text.contains("anna.csv") && !page.text.contains("/page/undo"))
        let book = try reader.open(try page.link("/page/book"))
        #expect(!book.text.contains("Correct this book"))
        #expect(try reader.send("/page/undo", form).next == "/page/sign-in")
        #expect(try reader.send("/page/book", "id=a&field=title&value=b").next == "/page/sign-in")
        #expect(try anna.open("/page/library").text.contains("Reef"))
        #expect(try anna.send("/page/undo", form).answer.status == 303)
        await running.server.stop()
    }

    @Test func `nothing is changed for another site, nor while something else writes`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let undo = try browser.done(try browser.importFile("Title\nReef\n")).link("/page/undo")
        let form = try browser.open(undo).hiddenFields
        for origin in ["https://evil.example", "null"] {
            #expect(try browser.send("/page/undo", form, origin: origin).answer.status == 403)
            #expect(
                try browser.send("/page/book", "id=a&field=title&value=b", origin: origin).answer.status
                    == 403)
        }
        do {
            let lock = try StoreLock(store: browser.running.store)
            #expect(try browser.open(undo).status == 200, "looking changes nothing")
            #expect(try browser.send("/page/undo", form).answer.text.contains("Try again"))
            withExtendedLifetime(lock) {}
        }
        #expect(try browser.open("/page/undo?job=nothing").status == 404)
        #expect(try browser.send("/page/undo", "").answer.status == 404)
        #expect(try browser.open("/page/library").text.contains("Reef"))
        #expect(try browser.send("/page/undo", form).answer.status == 303)
        await browser.running.server.stop()
    }

    @Test(arguments: [("0001-01-01", "long ago"), ("2999-05-06", "in the future")])
    func `a day on which nobody can have read it is refused`(day: String, reason: String) async throws {
        let browser = PageBrowser(try await RunningServer(clock: SystemClock()))
        _ = try browser.done(try browser.importFile("Title,Author\nReef,Ana Lee\n"))
        let page = try browser.open(try browser.open("/page/library").link("/page/book"))
        let fields = page.hiddenFields.split(separator: "&").map(String.init)
        let shown = fields.filter { !$0.hasPrefix("scope") && !$0.hasPrefix("change") }.joined(separator: "&")
        let answer = try browser.send("/page/entry", "\(shown)&dateRead=\(day)").answer
        #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
        await browser.running.server.stop()
    }
}
