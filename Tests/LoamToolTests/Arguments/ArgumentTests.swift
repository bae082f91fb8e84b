import LoamStorage
import Testing

@testable import loam

@Suite struct ArgumentTests {
    @Test func `key lists have directions`() {
        #expect(
            KeyList(argument: "a,-b,+c.d")?.keys == [
                .init(path: "a", direction: .ascending), .init(path: "b", direction: .descending),
                .init(path: "c.d", direction: .ascending),
            ])
    }

    @Test(arguments: ["", ",", "a,", "-", "a,,b", "a,-a"])
    func `a list with a hole or a repetition is wrong usage`(text: String) {
        #expect(KeyList(argument: text) == nil)
    }

    @Test func `type lists know every simple type`() {
        #expect(TypeList(argument: "a:int,b:double,c:string,d:date,e:bool,f:uint8")?.types["f"] == .uint8)
        #expect(TypeList(argument: "a:b:int")?.types == ["a:b": .int64])
        for wrong in ["a", "a:", ":int", "a:number", "a:int,a:int", "a:int,"] {
            #expect(TypeList(argument: wrong) == nil)
        }
    }
}
