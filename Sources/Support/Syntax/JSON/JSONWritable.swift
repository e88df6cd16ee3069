/// A value that writes itself as one JSON value.
package protocol JSONWritable {
    /// Writes the value. May be called wherever a value is allowed.
    func write(into out: inout JSONWriter)
}

extension JSONWritable {
    /// The value as a JSON text.
    package var json: [UInt8] {
        var out = JSONWriter()
        write(into: &out)
        return out.bytes
    }
}

extension JSONWriter {
    /// Writes a key and its value.
    @inline(__always)
    package mutating func field(_ name: StaticString, _ value: some JSONWritable) {
        key(name)
        value.write(into: &self)
    }

    /// Writes a key and its value, or nothing if the value is nil. Absent values are left out, never written
    /// as `null`.
    @inline(__always)
    package mutating func field(_ name: StaticString, _ value: (some JSONWritable)?) {
        if let value { field(name, value) }
    }

    /// Writes a key and an object whose fields `fields` writes.
    package mutating func field<Failure: Error>(
        _ name: StaticString, object fields: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try object(fields)
    }
}

extension String: JSONWritable {
    package func write(into out: inout JSONWriter) { out.string(self) }
}

extension Bool: JSONWritable {
    package func write(into out: inout JSONWriter) { out.boolean(self) }
}

extension Double: JSONWritable {
    package func write(into out: inout JSONWriter) { out.number(self) }
}

extension Int: JSONWritable {
    package func write(into out: inout JSONWriter) { out.integer(Int64(self)) }
}

extension Int64: JSONWritable {
    package func write(into out: inout JSONWriter) { out.integer(self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.beginArray()
        for element in self { element.write(into: &out) }
        out.endArray()
    }
}

/// Enumerations are written as their raw value.
extension JSONWritable where Self: RawRepresentable, RawValue == String {
    package func write(into out: inout JSONWriter) { out.string(rawValue) }
}
