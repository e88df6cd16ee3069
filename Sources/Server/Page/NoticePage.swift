import Queries

/// A page that says one thing: that something failed, or that a token is needed.
enum NoticePage {
    /// A failure.
    static func failure(_ sentence: String, _ viewer: PageViewer) -> [UInt8] {
        PageFrame(title: "That did not work", viewer: viewer).document { html in
            html.tag("p", ["class": "failure", "role": "alert"], sentence)
            html.tag("p") { $0.tag("a", ["href": "/"], "To the first page") }
        }
    }

    /// A form for a token of the server.
    ///
    /// - Parameter refusal: Why the one that was sent is not valid; nil if none was sent.
    static func signIn(_ viewer: PageViewer, refusing refusal: String? = nil) -> [UInt8] {
        PageFrame(title: "Sign in", viewer: viewer).document { html in
            if let refusal { html.tag("p", ["class": "failure", "role": "alert"], refusal) }
            html.tag("form", ["method": "post", "action": "/page/sign-in", "class": "choices"]) { html in
                html.tag("label", ["for": "token"], "Your token")
                html.open(
                    "input",
                    [
                        "type": "password", "id": "token", "name": "token", "required": "",
                        "autocomplete": "current-password",
                    ])
                html.tag("button", "Sign in")
            }
        }
    }
}
