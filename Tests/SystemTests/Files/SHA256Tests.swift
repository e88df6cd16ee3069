import System
import Testing

@Suite
struct SHA256Tests {
    /// Examples from FIPS 180-4 and NIST's short message vectors.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func `digests match the standard's vectors`(message: String, digest: String) {
        var hash = SHA256()
        hash.update(Array(message.utf8))
        #expect(hash.hexDigest == digest)
        #expect(hash.digest.count == 32)
    }

    @Test func `pieces of any size give the same digest`() {
        // The standard's million letters take too long in a debug build. The digest is from sha256sum.
        let expected = "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
        for piece in [1, 63, 64, 65, 1_000, 100_000] {
            var hash = SHA256()
            var left = 100_000
            while left > 0 {
                let now = min(piece, left)
                hash.update([UInt8](repeating: UInt8(ascii: "a"), count: now))
                left -= now
            }
            #expect(hash.hexDigest == expected, "in pieces of \(piece)")
        }
    }

    @Test func `padding is correct for every length around a block boundary`() {
        // A digest of all digests of 0 to 130 bytes, computed once with another implementation.
        var all = SHA256()
        for length in 0...130 {
            var one = SHA256()
            one.update((0..<length).map { UInt8($0) })
            all.update(one.digest)
        }
        #expect(all.hexDigest == "e5bbbecd60c3632a3455f465bfd8b079c30ef608d2bcc34227f4e5573029020e")
    }

    @Test func `reading the digest does not disturb the stream`() {
        var hash = SHA256()
        hash.update(Array("ab".utf8))
        _ = hash.digest
        hash.update(Array("c".utf8))
        #expect(hash.hexDigest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
