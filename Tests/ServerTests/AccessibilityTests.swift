import Foundation
import TestSupport
import Testing

@testable import Server

/// A program that checks pages for people who cannot see or point well.
private enum Axe {
    /// The file `axe.min.js`; nil if it is not there.
    static let script: String? = {
        let named = ProcessInfo.processInfo.environment["ETL_AXE"]
        return [named, "/usr/share/nodejs/axe-core/axe.min.js"].compactMap(\.self).first {
            FileManager.default.isReadableFile(atPath: $0)
        }
    }()
}

/// What axe-core finds on the pages: unnamed controls, weak contrast, wrong order of headings, and more.
@Suite(
    .ownThread,
    .enabled(if: Chromium.path != nil && Axe.script != nil, "needs Chromium and axe-core"))
struct AccessibilityTests {
    /// Expects nothing on a page, on a phone and on a screen, in light and in dark, with everything unfolded.
    private func check(_ page: Chromium.Page, _ name: String) throws {
        let axe = try String(contentsOfFile: try #require(Axe.script), encoding: .utf8)
        _ = try page.value("document.querySelectorAll('details').forEach(part => part.open = true)")
        _ = try page.value(axe + "; true")
        for (width, scheme) in [(390, "light"), (390, "dark"), (1_440, "light"), (1_440, "dark")] {
            try page.session.call(
                "Emulation.setDeviceMetricsOverride",
                ["width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false])
            try page.session.call(
                "Emulation.setEmulatedMedia",
                ["features": [["name": "prefers-color-scheme", "value": scheme]]])
            let found = try page.value(
                "axe.run().then(all => all.violations.map(one => `${one.id} ${one.nodes[0].html}`).join('\\n'))"
            )
            #expect(found as? String == "", "\(name), \(width) px, \(scheme)")
        }
    }

    @Test func `axe finds nothing on any page`() async throws {
        let running = try await BrowserTests.server()
        let file = try running.sample.folder.write(BrowserTests.export, to: "mine.csv")
        let chromium = try Chromium()
        let page = try chromium.page()
        let base = "http://127.0.0.1:\(running.server.port)"
        func link(_ start: String) throws -> String {
            let find = "document.querySelector('a[href^=\"\(start)\"]').getAttribute('href')"
            return try #require(try page.value(find) as? String, "no link to \(start)")
        }
        try page.open(base)
        try page.wait(forHeading: "Import your library")
        try check(page, "home")
        try page.choose(file: file)
        try page.click("Upload")
        try page.wait(forHeading: "How your file is read")
        try check(page, "preview")
        try page.click("Import")
        try page.wait(forHeading: "Import done")
        try check(page, "job")
        try page.click("Decide which")
        try page.wait(forHeading: "Which book is it?")
        try check(page, "matches")
        try page.click("Library")
        try page.wait(forHeading: "Library")
        let (book, undo) = (try link("/page/book"), try link("/page/undo"))
        for path in [
            "/page/library", "/page/library?view=covers", "/page/library?q=nothing", book, undo,
            "/page/statistics", "/page/year", "/page/downloads", "/page/add", "/page/admin", "/page/nowhere",
        ] {
            try page.open(base + path)
            try page.wait(until: "location.href === '\(base + path)'")
            try check(page, path)
        }
        try chromium.close()
        await running.server.stop()
    }
}
