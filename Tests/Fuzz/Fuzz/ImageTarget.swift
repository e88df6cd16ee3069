@testable import Syntax

/// Cleans an input as an image. What comes out is an image of the same form, and clean.
enum ImageTarget {
    static func read(_ bytes: [UInt8]) {
        let type = ImageType(bytes)
        if let type { _ = ImageSize(bytes, type) }
        do throws(ImageProblem) {
            let clean = try CleanImage(bytes)
            demand(clean.type == type, "the form has changed")
            // A note of the orientation is written anew.
            demand(clean.bytes.count <= bytes.count + 40, "the image has grown")
            let again: CleanImage
            do throws(ImageProblem) { again = try CleanImage(clean.bytes) } catch {
                return demand(false, "a clean image is refused")
            }
            demand(again == clean, "cleaning twice differs")
        } catch {
            demand(!bytes.isEmpty || error == .empty, "an empty file is called something else")
        }
    }
}
