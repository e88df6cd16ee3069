import Books
package import Syntax
package import System

/// A photo that may be sent to a model: of a form that models take, and without what its camera noted.
package struct ShelfPhoto: Sendable, Hashable {
    /// Maximum size of a photo in bytes, the limit of the contract.
    package static let mostBytes = 10 << 20
    /// Maximum number of photos of a scan.
    package static let mostPhotos = 5
    /// Maximum number of pixels. A small file can claim to be an image that no model can unpack.
    private static let mostPixels = 80_000_000
    /// Minimum length of a side in pixels: nothing can be read in a smaller photo.
    private static let leastSide = 32

    /// Its name on its owner's machine.
    package let name: String
    /// The photo without metadata.
    package let bytes: [UInt8]
    package let type: ImageType
    package let size: ImageSize
    /// SHA-256 of ``bytes`` in hexadecimal: the same photo has the same one.
    package let digest: String

    var pixels: ModelBooks.PixelSize { .init(width: size.width, height: size.height) }

    /// Checks a photo.
    ///
    /// - Throws: Why it cannot be scanned.
    package init(_ name: String, _ file: [UInt8]) throws(PhotoProblem) {
        guard file.count <= Self.mostBytes else { throw .tooLarge(bytes: file.count) }
        let image: CleanImage
        do throws(ImageProblem) {
            image = try CleanImage(file)
        } catch {
            throw .image(error)
        }
        let (width, height) = (image.size.width, image.size.height)
        guard width * height <= Self.mostPixels else { throw .tooManyPixels(width: width, height: height) }
        guard min(width, height) >= Self.leastSide else { throw .tooSmall(width: width, height: height) }
        self.name = name
        (bytes, type, size) = (image.bytes, image.type, image.size)
        var hash = SHA256()
        hash.update(bytes)
        digest = hash.hexDigest
    }
}

/// Why a photo has no books.
package enum PhotoProblem: Error, Sendable, Hashable {
    /// The file cannot be read; the text says why.
    case unreadable(String)
    case tooLarge(bytes: Int)
    case image(ImageProblem)
    case tooManyPixels(width: Int, height: Int)
    case tooSmall(width: Int, height: Int)
    /// The model refuses it, for this reason in its own word.
    case refused(String)
    /// The model has not answered, or not in the form that it was asked for.
    case unanswered(LookupOutcome)
    /// It was not read before, and the model may not be asked now.
    case unread
    /// The scan was stopped before.
    case stopped

    /// Why, as a sentence about the photo.
    package var sentence: String {
        switch self {
        case .unreadable(let why): "The photo cannot be read: \(why)."
        case .tooLarge(let bytes):
            "The photo has \(Self.megabytes(bytes)) MB; the limit is \(Self.megabytes(ShelfPhoto.mostBytes)) MB."
        case .image(let problem): Self.sentence(problem)
        case .tooManyPixels(let width, let height):
            "The photo has \(width) × \(height) pixels, too many for a model. Make it smaller."
        case .tooSmall(let width, let height):
            "The photo has only \(width) × \(height) pixels; nothing can be read in it."
        case .refused(let reason): "The model refused the photo (\(reason))."
        case .unread: "The photo was not read before, and no model may be asked now."
        case .unanswered(.malformed):
            "The model’s answer was not a list of books, the second time too. Scan a part of the shelf."
        case .unanswered(.blocked): "The service rejected the key."
        case .unanswered(.quota): "The service’s budget for today is spent."
        case .unanswered(.rateLimited): "The service gets too many requests now. Try again later."
        case .unanswered(.requestRejected), .unanswered(.notFound):
            "The service refused the request. Check the model’s name and the address."
        case .unanswered(let outcome):
            "The service did not answer (\(outcome.name.split(separator: "_").joined(separator: " ")))."
        case .stopped: "The scan was stopped before this photo."
        }
    }

    /// Whether the same photo may be read another time.
    package var mayEndByItself: Bool {
        switch self {
        case .unanswered(let outcome): outcome.mayEndByItself
        case .stopped: true
        default: false
        }
    }

    private static func sentence(_ problem: ImageProblem) -> String {
        switch problem {
        case .empty: "The file is empty."
        case .notAPhoto(let kind?): "The file is \(kind), not a photo. Photos are JPEG, PNG, WebP or HEIC."
        case .notAPhoto(nil): "The file is not a photo. Photos are JPEG, PNG, WebP or HEIC."
        case .animated: "The image is animated. Save one picture of it."
        case .damaged: "The photo is damaged or incomplete. Save it again, for example as JPEG."
        }
    }

    private static func megabytes(_ bytes: Int) -> String {
        let tenths = (bytes * 10 + (1 << 19)) >> 20
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
