import Syntax
import TestSupport
import Testing

@testable import Books
@testable import Queries

@Suite struct ImageSizeTests {
    private static let images: [(String, [UInt8])] = [
        ("jpg", ImageFixture.jpeg(333, 500)), ("png", ImageFixture.png(333, 500)),
        ("gif", ImageFixture.gif(333, 500)), ("webp", ImageFixture.webp("VP8 ", 333, 500)),
        ("webp", ImageFixture.webp("VP8L", 333, 500)), ("webp", ImageFixture.webp("VP8X", 333, 500)),
    ]

    @Test func `the size is in the header of each format`() throws {
        for (end, bytes) in Self.images {
            let image = try #require(CoverImage(bytes))
            #expect(image.size.width == 333 && image.size.height == 500 && image.type.fileExtension == end)
        }
    }

    @Test func `an image that is cut or damaged has a size or none, and never ends the process`() throws {
        var random = SystemRandomNumberGenerator()
        for (_, bytes) in Self.images {
            let type = try #require(ImageType(bytes))
            for length in 0..<60 { _ = ImageSize(Array(bytes.prefix(length)), type) }
            for _ in 0..<500 {
                var damaged = bytes
                for _ in 0..<3 { damaged[Int.random(in: 0..<40, using: &random)] = .random(in: 0...255) }
                _ = ImageSize(damaged, type)
            }
        }
    }

    @Test func `a point, a text, and an image whose size is missing are no covers`() {
        #expect(CoverImage(ImageFixture.png(1, 1)) == nil)
        #expect(CoverImage(ImageFixture.jpeg(0, 450)) == nil)
        #expect(CoverImage(ImageFixture.png(0xFFFF_FFFF, 0xFFFF_FFFF)) == nil)
        #expect(CoverImage(Array("<svg onload=alert(1)>".utf8)) == nil)
        // The image data begins before any size.
        #expect(CoverImage([0xFF, 0xD8, 0xFF, 0xDA] + [UInt8](repeating: 1, count: 500)) == nil)
        #expect(CoverImage([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 500)) == nil)
    }
}

@Suite struct CoverAddressTests {
    @Test(arguments: [
        (
            "https://covers.openlibrary.org/b/id/12-M.jpg",
            ["https://covers.openlibrary.org/b/id/12-L.jpg?default=false"]
        ),
        (
            "http://books.google.com/books/content?id=a&printsec=frontcover&img=1&zoom=1&edge=curl&source=gbs_api",
            [
                "https://books.google.com/books/content?id=a&printsec=frontcover&img=1&zoom=0&source=gbs_api",
                "https://books.google.com/books/content?id=a&printsec=frontcover&img=1&zoom=1&source=gbs_api",
            ]
        ),
        (
            "https://books.google.com/books/content?id=a&zoom=0",
            [
                "https://books.google.com/books/content?id=a&zoom=0",
                "https://books.google.com/books/content?id=a&zoom=1",
            ]
        ),
        ("https://images.example/a.jpg?zoom=1", ["https://images.example/a.jpg?zoom=1"]),
        ("https://books.google.com.evil.example/?zoom=1", ["https://books.google.com.evil.example/?zoom=1"]),
        ("javascript:alert(1)", []), ("", []), ("file:///etc/passwd", []),
    ])
    func `the largest size of an address is asked first`(address: String, largest: [String]) {
        #expect(CoverAddress.largest(address) == largest)
    }
}
