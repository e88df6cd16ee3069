/// The title under which a person sees a book: that of the edition at hand.
///
/// A work's own title is often in the language of the original, which the reader of a translation may not know. It
/// still identifies the work: keys and matching do not use this type. Queries choose the same title in SQL
/// (`ShownTitle.sql` in the module Store).
package struct ShownTitle: Sendable, Hashable {
    /// The edition's title, or the work's if the edition has none. Empty if neither has one.
    package let text: String
    /// The work's own title; nil if it has none.
    private let work: String?

    /// - Parameters:
    ///   - edition: The title of the edition at hand; nil if it has none, or if no edition is known.
    ///   - work: The work's own title; nil if it has none.
    package init(edition: String?, work: String?) {
        self.work = work.flatMap { $0.isEmpty ? nil : $0 }
        text = edition.flatMap { $0.isEmpty ? nil : $0 } ?? self.work ?? ""
    }

    /// The work's own title; nil if it is the same title, apart from subtitles, brackets and spelling.
    package var original: String? {
        guard var title = work, title != text else { return nil }
        var shown = text
        let isSame = shown.withUTF8 { shown in
            title.withUTF8 {
                TitleForm.haveSameBeginning(UnsafeRawBufferPointer(shown), UnsafeRawBufferPointer($0))
            }
        }
        return isSame ? nil : title
    }
}
