import Swift

/// The payload types of an enum, and how a value of one of its cases is put together.
///
/// Read from the type's descriptor and its value witnesses (swift/ABI/Metadata.h: `TargetEnumDescriptor`,
/// swift/RemoteInspection/Records.h: `FieldDescriptor`, swift/ABI/ValueWitness.def), which are part of the stable ABI.
struct EnumPayloads {
    private let metadata: UnsafeRawPointer
    /// The type of each case's payload, in declaration order; nil for an indirect case.
    let types: [(any Any.Type)?]
    /// Cases without payload come after those with one.
    let firstEmptyCase: Int?

    /// Reads the cases of an enum; nil for any other type, for optionals, and where the cases cannot be read.
    init?(_ type: any Any.Type) {
        guard let cases = EnumCases(type) else { return nil }
        metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let descriptor = metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
        guard let types = Self.types(descriptor, metadata: metadata, count: cases.withPayload) else { return nil }
        self.types = types
        firstEmptyCase = cases.withoutPayload > 0 ? cases.withPayload : nil
    }

    /// Makes the payload at an address, or zeroed memory, a value of the enum.
    func inject(_ index: Int, into memory: UnsafeMutableRawPointer) {
        let witnesses = (metadata - MemoryLayout<UInt>.size).load(as: UnsafeRawPointer.self)
        let inject = witnesses.load(fromByteOffset: Self.injectOffset, as: Inject.self)
        inject(memory, UInt32(index), metadata)
    }

    private typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    /// The offset of the function in the table of value witnesses: it stands behind eight functions, size, stride,
    /// flags, extra inhabitants and two functions.
    private static let injectOffset = 104

    private static func types(
        _ descriptor: UnsafeRawPointer, metadata: UnsafeRawPointer, count: Int
    ) -> [(any Any.Type)?]? {
        guard count > 0 else { return [] }
        guard let fields = target(descriptor + 16), fields.load(fromByteOffset: 10, as: UInt16.self) == recordSize,
            fields.load(fromByteOffset: 12, as: UInt32.self) >= count
        else { return nil }
        var types: [(any Any.Type)?] = []
        for index in 0..<count {
            let record = fields + 16 + Int(recordSize) * index
            guard let name = target(record + 4) else { return nil }
            let type = _getTypeByMangledNameInContext(
                name.assumingMemoryBound(to: UInt8.self), UInt(length(of: name)), genericContext: descriptor,
                genericArguments: metadata + 2 * MemoryLayout<UInt>.size)
            guard let type else { return nil }
            types.append(record.load(as: UInt32.self) & indirectFlag == 0 ? type : nil)
        }
        return types
    }

    private static let recordSize: UInt16 = 12
    private static let indirectFlag: UInt32 = 1

    /// What a relative pointer leads to.
    private static func target(_ pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = pointer.load(as: Int32.self)
        return offset == 0 ? nil : pointer + Int(offset)
    }

    /// A mangled name ends with a zero that is not part of a symbolic reference: a byte below 0x20 with four or eight
    /// bytes behind it.
    private static func length(of name: UnsafeRawPointer) -> Int {
        var length = 0
        while true {
            switch name.load(fromByteOffset: length, as: UInt8.self) {
            case 0: return length
            case 0x01...0x17: length += 5
            case 0x18...0x1F: length += 1 + MemoryLayout<UInt>.size
            default: length += 1
            }
        }
    }
}
