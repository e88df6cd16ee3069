import Queries
import Store

/// Asks whether an account is to be deleted, and says what was.
struct DeletionPage {
    var account: Account
    var viewer: PageViewer
    /// Why nothing was deleted; nil if nobody has tried.
    var refusal: String?

    /// The question.
    func document() -> [UInt8] {
        PageFrame(title: "Delete \(account.name)?", viewer: viewer).document { html in
            if let refusal { html.tag("p", ["class": "failure", "role": "alert"], refusal) }
            html.tag("div", ["class": "warning"]) { html in
                html.tag("p", "This cannot be undone. It deletes:")
                html.tag("ul") { html in
                    if account.token != nil {
                        html.tag("li", "the token and all sessions")
                        html.tag("li", "its jobs, running ones too, with uploads and results")
                    }
                    if let library = account.library {
                        html.tag(
                            "li",
                            "the library \(library): \(PageText.count(account.books, "book")) with ratings, reviews, notes, corrections and rejected rows, unless another token uses it"
                        )
                        html.tag("li", "books and authors that no other library has")
                    } else {
                        html.tag("li", "no books: this token has no library of its own")
                    }
                }
                if account.library != nil {
                    html.tag("p", "Earlier changes of all other libraries stay, but can no longer be undone.")
                }
                html.tag("p", "Backups still have the data until they are deleted.")
            }
            html.tag("form", ["method": "post", "action": "/page/admin/delete"]) { html in
                FormInput.hidden(
                    [account.token.map { ("token", $0) } ?? ("library", account.library ?? "")], &html)
                html.tag("label", ["for": "name"], "Type the name, \(account.name), to confirm")
                html.open(
                    "input",
                    ["type": "text", "id": "name", "name": "name", "required": "", "autocomplete": "off"])
                html.tag("div", ["class": "buttons"]) { html in
                    html.tag("button", "Delete everything")
                    html.tag("a", ["class": "button quiet", "href": "/page/admin"], "Keep it")
                }
            }
        }
    }

    /// The report.
    func document(_ deleted: DeletedAccount) -> [UInt8] {
        PageFrame(title: "\(account.name) was deleted", viewer: viewer).document { html in
            html.tag("ul") { html in
                if account.token != nil {
                    html.tag("li", "The token is revoked, and its sessions have ended.")
                    html.tag("li", "\(PageText.count(deleted.jobs, "job")) with uploads")
                }
                if let rows = deleted.rows {
                    for (count, one, many) in [
                        (rows.entries.deleted, "entry", "entries"), (rows.works.deleted, "work", "works"),
                        (rows.editions.deleted, "edition", "editions"),
                        (rows.authors.deleted, "author", "authors"),
                    ] {
                        html.tag("li", "\(count) \(count == 1 ? one : many)")
                    }
                }
            }
            if !deleted.sharing.isEmpty {
                html.tag(
                    "p", ["class": "note"],
                    "The library \(account.library ?? "") stays: \(deleted.sharing.joined(separator: ", ")) \(deleted.sharing.count == 1 ? "uses" : "use") it too."
                )
            } else if deleted.rows != nil {
                html.tag("p", "Books that other libraries have stay.")
            }
            if deleted.isInLog {
                html.tag(
                    "p", ["class": "note"],
                    "SQLite's log still has deleted rows. They are gone when the server has been stopped.")
            }
            html.tag("p") { $0.tag("a", ["class": "button", "href": "/page/admin"], "Back") }
        }
    }
}
