import Queries

/// A page that says one thing: that something failed, or that a token is needed.
enum NoticePage {
    /// A failure.
    static func failure(_ sentence: String, isSignedIn: Bool) -> [UInt8] {
        PageFrame(title: "That did not work", isSignedIn: isSignedIn).document { html in
            html.tag("p", ["class": "failure", "role": "alert"], sentence)
            html.tag("p") { $0.tag("a", ["href": "/"], "To the first page") }
        }
    }

    /// A form for a token of the server.
    ///
    /// - Parameter isWrong: Whether one was sent that is not valid.
    static func signIn(isWrong: Bool) -> [UInt8] {
        PageFrame(title: "Sign in").document { html in
            if isWrong {
                html.tag("p", ["class": "failure", "role": "alert"], "This token is not valid here.")
            }
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
