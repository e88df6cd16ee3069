import Contract
import Jobs
import Queries
import Store

/// The photos of a scan with the places of their books, and what was found.
struct ScanPanel {
    /// The address of an image, and its size in pixels.
    typealias Image = (path: String, width: Int, height: Int)

    /// A photo as the page shows it.
    struct Photo {
        var note: ScanNote.Photo
        /// Nil if it is not kept, or browsers do not show it.
        var image: Image?
    }

    var photos: [Photo]
    var books: [ScannedBooks.Book]
    /// The library of the books, if links must name it.
    var library: String?

    func write(_ html: inout HTML) {
        html.tag("section", ["aria-labelledby": "photos"]) { html in
            html.tag("h2", ["id": "photos"], photos.count == 1 ? "Photo" : "Photos")
            for (index, photo) in photos.enumerated() { write(photo, number: index + 1, &html) }
            guard !books.isEmpty else { return }
            PageTable.write(
                ["No.", "In the photo", "Sure", "Found", ""], caption: nil, into: &html
            ) { rows in
                for (index, book) in books.enumerated() {
                    let found = book.detected.enrichment
                    let remarks = [
                        book.needsReview ? "check it" : "", book.detected.isDuplicate ? "already there" : "",
                    ]
                    rows.add(
                        [
                            "\(index + 1)", Self.printed(book.detected),
                            PageText.percent(book.detected.confidence),
                            found.status == .success ? found.work?.title ?? "" : "Not found, as printed",
                            remarks.filter { !$0.isEmpty }.joined(separator: ", "),
                        ], links: [3: PageLink.book(book.key, in: library)],
                        picture: book.needsReview ? { write(spineOf: book, &$0) } : nil)
                }
            }
        }
    }

    private static func printed(_ book: DetectedBook) -> String {
        [book.title.isEmpty ? book.isbn : book.title, book.author].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// Writes the image into an SVG whose units are its pixels.
    private static func write(_ image: Image, _ html: inout HTML) {
        html.tag("image", ["href": image.path, "width": "\(image.width)", "height": "\(image.height)"], "")
    }

    /// Writes the part of a photo that shows a book, so that what was read can be compared.
    private func write(spineOf book: ScannedBooks.Book, _ html: inout HTML) {
        guard photos.indices.contains(book.photo - 1), let image = photos[book.photo - 1].image,
            let box = book.detected.boundingBox, box.width > 0, box.height > 0
        else { return }
        let (width, height) = (Double(image.width), Double(image.height))
        let part = [box.x * width, box.y * height, box.width * width, box.height * height]
        html.tag(
            "svg",
            ["class": "spine", "viewBox": part.map { "\($0)" }.joined(separator: " "), "aria-hidden": "true"]
        ) { html in
            Self.write(image, &html)
        }
    }

    private func write(_ photo: Photo, number: Int, _ html: inout HTML) {
        html.tag("figure", ["class": "shelf"]) { html in
            if let image = photo.image { write(image, number: number, &html) }
            html.tag("figcaption") { html in
                html.tag("strong", photo.note.name)
                if let problem = photo.note.problem {
                    html.tag("span", ["class": "failure"], problem)
                } else {
                    let unreadable = photo.note.unreadable
                    html.text(": \(PageText.count(photo.note.books, "book"))")
                    html.text(
                        unreadable > 0
                            ? ", and \(PageText.count(unreadable, "spine")) that could not be read." : ".")
                }
                if photo.image == nil, photo.note.problem == nil {
                    html.tag("span", ["class": "hint"], " The photo cannot be shown here.")
                }
            }
        }
    }

    /// Writes the image, and a rectangle with a number for each of its books.
    private func write(_ image: Image, number: Int, _ html: inout HTML) {
        let (width, height) = (Double(image.width), Double(image.height))
        html.tag(
            "svg", ["viewBox": "0 0 \(image.width) \(image.height)", "aria-hidden": "true"]
        ) { html in
            Self.write(image, &html)
            for (index, book) in books.enumerated() where book.photo == number {
                guard let box = book.detected.boundingBox else { continue }
                let (x, y) = (box.x * width, box.y * height)
                html.tag(
                    "rect",
                    [
                        "x": "\(x)", "y": "\(y)", "width": "\(box.width * width)",
                        "height": "\(box.height * height)", "class": book.needsReview ? "check" : nil,
                    ], "")
                // About as large as other text if the page is 900 pixels wide.
                let size = width / 45
                html.tag(
                    "text", ["x": "\(x + size / 4)", "y": "\(y + size)", "font-size": "\(size)"],
                    "\(index + 1)")
            }
        }
    }
}
