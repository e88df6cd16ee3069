import Foundation
import System
import TestSupport
import Testing

/// A browser without a window, driven by its DevTools protocol. Chromium must be installed.
final class Chromium {
    /// The program; nil if it is not installed.
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let process: ChildProcess
    private let port: UInt16
    private let browser: Session
    /// Folder for downloads.
    let downloads: TemporaryFolder

    init() throws {
        downloads = try TemporaryFolder()
        process = try ChildProcess(
            try #require(Self.path),
            [
                "--headless=new", "--no-sandbox", "--remote-debugging-port=0", "--no-first-run",
                "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                "--user-data-dir=\(downloads.file("profile"))", "about:blank",
            ], errors: .pipe)
        let errors = try #require(process.errors)
        var said = ""
        while true {
            if let match = said.firstMatch(of: #/DevTools listening on ws:\/\/127.0.0.1:(\d+)(\/\S+)\s/#) {
                port = try #require(UInt16(match.1))
                browser = try Session(port, String(match.2))
                break
            }
            let piece = errors.availableData
            try #require(!piece.isEmpty, "it ended too early: \(said)")
            said += String(decoding: piece, as: UTF8.self)
        }
        try browser.call(
            "Browser.setDownloadBehavior",
            ["behavior": "allow", "downloadPath": downloads.path, "eventsEnabled": true])
    }

    /// A new page.
    func page(scripts: Bool = true) throws -> Page {
        let target = try browser.call("Target.createTarget", ["url": "about:blank"])
        let id = try #require(target["targetId"] as? String)
        let page = Page(try Session(port, "/devtools/page/\(id)"))
        try page.session.call("Page.enable")
        try page.session.call("Runtime.enable")
        try page.session.call("Log.enable")
        if !scripts { try page.session.call("Emulation.setScriptExecutionDisabled", ["value": true]) }
        return page
    }

    /// Waits until a download is complete.
    ///
    /// - Returns: Its content.
    func download(_ name: String) throws -> String {
        _ = try browser.event("Browser.downloadProgress") { $0["state"] as? String == "completed" }
        return try String(contentsOfFile: downloads.file(name), encoding: .utf8)
    }

    /// Ends it.
    func close() throws {
        _ = try? browser.call("Browser.close")
        _ = try process.wait()
    }

    deinit { process.send(SIGKILL) }

    /// A connection to the browser or to one of its pages.
    final class Session {
        private let socket: WebSocketClient
        private var last = 0
        private(set) var events: [(name: String, values: [String: Any])] = []

        init(_ port: UInt16, _ path: String) throws {
            socket = try WebSocketClient(RawClient(port: port), path)
            try #require(socket.head.status == 101)
        }

        /// Calls a method and waits for its result.
        @discardableResult
        func call(_ method: String, _ values: [String: Any] = [:]) throws -> [String: Any] {
            last += 1
            let message: [String: Any] = ["id": last, "method": method, "params": values]
            try socket.send(
                String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self))
            while true {
                let answer = try next()
                guard answer["id"] as? Int == last else { continue }
                if let error = answer["error"] { throw Refused(method: method, reason: "\(error)") }
                return answer["result"] as? [String: Any] ?? [:]
            }
        }

        /// The next event with a name that is as wanted, or one that has arrived already.
        func event(_ name: String, _ isWanted: ([String: Any]) -> Bool) throws -> [String: Any] {
            while true {
                if let place = events.firstIndex(where: { $0.name == name && isWanted($0.values) }) {
                    return events.remove(at: place).values
                }
                _ = try next()
            }
        }

        private func next() throws -> [String: Any] {
            let message = try socket.next().json()
            if let name = message["method"] as? String {
                events.append((name, message["params"] as? [String: Any] ?? [:]))
            }
            return message
        }

        struct Refused: Error {
            var method: String
            var reason: String
        }
    }

    /// A page.
    final class Page {
        let session: Session

        init(_ session: Session) { self.session = session }

        func open(_ url: String) throws { try session.call("Page.navigate", ["url": url]) }

        /// The value of an expression of JavaScript; nil if the page is being replaced.
        func value(_ expression: String) throws -> Any? {
            let values: [String: Any] = [
                "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
            ]
            guard let answer = try? session.call("Runtime.evaluate", values),
                answer["exceptionDetails"] == nil
            else { return nil }
            return (answer["result"] as? [String: Any])?["value"]
        }

        /// Waits until an expression is true. The page may be another one then.
        func wait(until expression: String) throws {
            for _ in 0..<6_000 {
                if try value("document.readyState === 'complete' && Boolean(\(expression))") as? Bool == true
                {
                    return
                }
                // The server needs the processor more than the question does. The page cannot wait itself: its
                // timers rest where scripts are switched off.
                SystemClock().block(nanoseconds: 50_000_000)
            }
            let text = try value("document.body.innerText") as? String
            Issue.record("\(expression) did not become true: \(text ?? "")")
            throw Session.Refused(method: "wait", reason: expression)
        }

        /// Waits until the heading of the page is as given.
        func wait(forHeading heading: String) throws {
            try wait(until: "document.querySelector('h1')?.textContent === '\(heading)'")
        }

        /// Clicks the first button with a text, or else the first link.
        func click(_ text: String) throws {
            let find =
                "['button', 'summary', 'a'].flatMap(tag => [...document.querySelectorAll(tag)]).find(e => e.textContent.trim() === '\(text)')"
            try #require(try value("Boolean(\(find))") as? Bool == true, "there is no \(text)")
            _ = try value("\(find).click()")
        }

        /// Chooses a file in the form.
        func choose(file: String) throws {
            let input = try session.call(
                "Runtime.evaluate", ["expression": "document.querySelector('input[type=file]')"])
            let object = try #require((input["result"] as? [String: Any])?["objectId"] as? String)
            try session.call("DOM.setFileInputFiles", ["files": [file], "objectId": object])
        }

        /// Exceptions and logged errors of the page.
        var complaints: [String] {
            session.events.compactMap { event in
                switch event.name {
                case "Runtime.exceptionThrown": "\(event.values)"
                case "Log.entryAdded":
                    (event.values["entry"] as? [String: Any]).flatMap {
                        $0["level"] as? String == "error" ? "\($0["text"] ?? "") \($0["url"] ?? "")" : nil
                    }
                default: nil
                }
            }
        }

        /// Shows the page as wide as a phone, a tablet and a screen. None may be wider than that.
        ///
        /// - Parameter name: Names pictures of it, which are written if `ETL_PICTURES` names a folder.
        func look(_ name: String) throws {
            for width in [360, 800, 1_280] {
                try session.call(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false])
                #expect(
                    try value("document.documentElement.scrollWidth <= innerWidth") as? Bool == true,
                    "\(name) at \(width)")
                guard let folder = ProcessInfo.processInfo.environment["ETL_PICTURES"] else { continue }
                for scheme in ["light", "dark"] {
                    try session.call(
                        "Emulation.setEmulatedMedia",
                        ["features": [["name": "prefers-color-scheme", "value": scheme]]])
                    let picture = try session.call(
                        "Page.captureScreenshot", ["captureBeyondViewport": true])
                    let data = try #require((picture["data"] as? String).flatMap { Data(base64Encoded: $0) })
                    try data.write(to: URL(fileURLWithPath: "\(folder)/\(name)-\(width)-\(scheme).png"))
                }
            }
            try session.call("Emulation.clearDeviceMetricsOverride")
        }
    }
}
