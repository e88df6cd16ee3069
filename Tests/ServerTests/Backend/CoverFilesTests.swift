import Foundation
import TestSupport
import Testing

@testable import Server

/// Covers of a folder on the pages.
@Suite(.ownThread) struct CoverFilesTests {
    private static let file = "Title,Author,ISBN\nReef,Ana Lee,9780306406157\nShore,Ben Lo,9783150000014\n"

    /// A folder with the cover of the first book, and a file that is no image.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try Data(ImageFixture.png(40, 60)).write(
            to: URL(fileURLWithPath: folder.file("9780306406157.png")))
        _ = try folder.write("no image", to: "9783150000014.jpg")
        return folder
    }

    @Test func `books are shown with their covers, and the others with a letter`() async throws {
        let folder = try folder()
        let running = try await RunningServer { $0.covers = CoverFiles(folder: folder.path) }
        let browser = PageBrowser(running)
        _ = try browser.done(try browser.importFile(Self.file))
        let page = try browser.open("/page/library?view=covers").text
        let sources = page.matches(of: #/<img class="cover" src="([^"]+)"/#).map { String($0.1) }
        #expect(sources.count == 1)
        let reef = try #require(sources.first { $0.contains("9780306406157") })
        let image = try browser.open(reef.replacing("&amp;", with: "&"))
        #expect(image.status == 200 && image.fields["content-type"] == "image/png")
        #expect(image.fields["cache-control"] == "private, max-age=86400")
        let book = try browser.open(try browser.open("/page/library?q=reef").link("/page/book")).text
        #expect(book.contains("<img class=\"cover\" src=\"\(reef)\""))
        await running.server.stop()
    }

    @Test(arguments: [
        "9780306406157.png", "9780306406157.png?tag=",
        "9780306406157.png?tag=00000000000000000000000000000000",
        "..%2Flibrary.sqlite?tag=x", "9780306406158.png?tag=x",
    ])
    func `an address that no page has shows nothing`(address: String) async throws {
        let folder = try folder()
        let running = try await RunningServer { $0.covers = CoverFiles(folder: folder.path) }
        #expect(try [400, 404].contains(running.request("GET", "/page/covers/\(address)").status))
        await running.server.stop()
    }

    @Test func `only images in the folder itself are shown`() throws {
        let folder = try folder()
        let covers = CoverFiles(folder: folder.path)
        #expect(covers.image("9780306406157.png", tag: covers.tag("9780306406157.png")) != nil)
        for file in ["../9780306406157.png", "9783150000014.jpg", "none.png", ""] {
            #expect(covers.image(file, tag: covers.tag(file)) == nil, "\(file)")
        }
        #expect(covers.address(of: "9780306406157") != nil && covers.address(of: "9783150000014") == nil)
    }

    @Test func `who has a library of their own does not learn which covers others have`() async throws {
        let folder = try folder()
        let tokens = try ServerTokens(
            parsing:
                "anna \(Secret.hexHash("a")) search,import anna\nroot \(Secret.hexHash("r")) admin,search",
            named: "tokens")
        let running = try await RunningServer(tokens: tokens) { $0.covers = CoverFiles(folder: folder.path) }
        let (anna, root) = (try PageBrowser(running, token: "a"), try PageBrowser(running, token: "r"))
        _ = try anna.done(try anna.importFile(Self.file))
        #expect(try !anna.open("/page/library?view=covers").text.contains("<img"))
        #expect(try root.open("/page/library?view=covers").text.contains("<img"))
        await running.server.stop()
    }

    @Test func `a server without covers shows letters`() async throws {
        let browser = PageBrowser(try await RunningServer())
        _ = try browser.done(try browser.importFile(Self.file))
        #expect(try !browser.open("/page/library?view=covers").text.contains("<img"))
        #expect(try browser.open("/page/covers/9780306406157.png?tag=x").status == 404)
        await browser.running.server.stop()
    }
}
