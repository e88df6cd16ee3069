import Testing

@testable import CommandLineTool

@Suite struct HumanTextTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "-12,345"),
    ])
    func `counts have thousands separators`(number: Int, text: String) {
        #expect(HumanText.count(number) == text)
    }

    @Test func `extreme values are formatted`() {
        #expect(HumanText.count(.min) == "-9,223,372,036,854,775,808")
        #expect(HumanText.bytes(.max) == "8.0 EiB")
        #expect(HumanText.bytes(-1) == "0 B")
        #expect(HumanText.duration(seconds: .infinity) == "forever")
        #expect(HumanText.duration(seconds: .nan) == "forever")
        #expect(HumanText.duration(seconds: -3) == "0.0 s")
        #expect(HumanText.rate(.infinity) == "–/s")
        #expect(HumanText.percent(.nan) == "–%")
    }

    @Test func `nouns agree with their number`() {
        #expect(HumanText.count(1, "record") == "1 record")
        #expect(HumanText.count(2_000, "record") == "2,000 records")
        #expect(HumanText.count(0, "entry", plural: "entries") == "0 entries")
    }

    @Test(arguments: [
        (512, "512 B"), (1_572_864, "1.5 MiB"), (1_048_576, "1.0 MiB"), (157_286_400, "150 MiB"),
    ])
    func `bytes have units`(bytes: Int, text: String) {
        #expect(HumanText.bytes(bytes) == text)
    }

    @Test(arguments: [
        (0.04, "0.0 s"), (12.34, "12.3 s"), (59.94, "59.9 s"), (59.96, "1 min 00 s"), (185, "3 min 05 s"),
        (7_620, "2 h 07 min"), (273_600, "3 d 04 h"),
    ])
    func `durations are formatted`(seconds: Double, text: String) {
        #expect(HumanText.duration(seconds: seconds) == text)
    }

    @Test(arguments: [
        (0, "0.0%"), (1, "100.0%"), (0.125, "12.5%"), (0.99999, "99.9%"), (0.00001, "0.1%"),
    ])
    func `only a complete share is 100 percent`(share: Double, text: String) {
        #expect(HumanText.percent(share) == text)
    }

    @Test(arguments: [(0.5, "0.5/s"), (12_345.6, "12,346/s"), (9.96, "10/s")])
    func `rates are formatted`(rate: Double, text: String) {
        #expect(HumanText.rate(rate) == text)
    }
}
