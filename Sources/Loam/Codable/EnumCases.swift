/// How many cases an enum type has, and its cases without payload, made without their names.
///
/// Read from the type's metadata and its descriptor (swift/ABI/Metadata.h: `TargetEnumMetadata`,
/// `TargetEnumDescriptor`), which are part of the stable ABI. A type that is no Swift enum has none.
struct EnumCases {
    let withPayload: Int
    let withoutPayload: Int

    /// Reads the cases of an enum; nil for any other type, and for optionals.
    init?(_ type: any Any.Type) {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == Self.enumKind else { return nil }
        let descriptor = metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
        guard descriptor.load(as: UInt32.self) & Self.kindMask == Self.enumDescriptorKind else { return nil }
        withPayload = Int(descriptor.load(fromByteOffset: Self.payloadCasesOffset, as: UInt32.self) & Self.countMask)
        withoutPayload = Int(descriptor.load(fromByteOffset: Self.emptyCasesOffset, as: UInt32.self))
    }

    var isEmpty: Bool { withPayload == 0 && withoutPayload == 0 }

    /// Every case of an enum without payloads, in declaration order; nil for any other type. Such an enum is its
    /// case's number, in as many bytes as that needs.
    static func all<Case>(_ type: Case.Type) -> [Case]? {
        guard let cases = EnumCases(type), cases.withPayload == 0, _isPOD(type),
            MemoryLayout<Case>.size <= MemoryLayout<UInt32>.size,
            cases.withoutPayload <= maximumCount
        else { return nil }
        return (0..<cases.withoutPayload).map { index in
            withUnsafeBytes(of: UInt32(index).littleEndian) { $0.loadUnaligned(as: type) }
        }
    }

    /// Above this an enum is taken for something else.
    private static let maximumCount = 1 << 16

    private static let enumKind: UInt = 0x201
    private static let kindMask: UInt32 = 0x1F
    private static let enumDescriptorKind: UInt32 = 18
    private static let payloadCasesOffset = 20
    private static let emptyCasesOffset = 24
    private static let countMask: UInt32 = 0xFF_FFFF
}
