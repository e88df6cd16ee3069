import Application
import Pipeline
import Syntax

extension Console {
    /// Writes the contract's envelope of a failure (contract.md section 1), for those who read standard output.
    func write(_ refusal: ResponseError) throws(CommandFailure) {
        var json = JSONWriter()
        Envelope.failure(refusal, timestamp: SystemClock().epochMilliseconds(), into: &json)
        try write(json.bytes + [UInt8(ascii: "\n")])
    }
}
