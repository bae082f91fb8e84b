import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("@Entry")
struct EntryTests {
    @Test("keeps a property under a key of its own") func keys() {
        expectExpansion(
            of: """
                extension EnvironmentValues {
                    @Entry var unit: String = "km"
                    @Entry var player: Player?
                    @Entry var count = 3
                }
                """,
            is: """
                extension EnvironmentValues {
                    var unit: String {
                        get {
                            self[__Key_unit.self]
                        }
                        set {
                            self[__Key_unit.self] = newValue
                        }
                    }

                    private enum __Key_unit: LoamUI.EnvironmentKey {
                        static var defaultValue: String {
                            "km"
                        }
                    }
                    var player: Player? {
                        get {
                            self[__Key_player.self]
                        }
                        set {
                            self[__Key_player.self] = newValue
                        }
                    }

                    private enum __Key_player: LoamUI.EnvironmentKey {
                        static var defaultValue: Player? {
                            nil
                        }
                    }
                    var count {
                        get {
                            self[__Key_count.self]
                        }
                        set {
                            self[__Key_count.self] = newValue
                        }
                    }

                    private enum __Key_count: LoamUI.EnvironmentKey {
                        static let defaultValue = 3
                    }
                }
                """)
    }

    @Test("says where it stands on something else, and where a default is missing") func mistakes() {
        let elsewhere = "'@Entry' can only be applied to a stored variable in an extension of 'EnvironmentValues'"
        let diagnoses = Diagnoses(
            """
            extension EnvironmentValues {
                @Entry var unit: String
                @Entry let level = 3
                @Entry static var kind = 4
                @Entry var double: Int { 2 }
            }
            extension City { @Entry var name = "" }
            """)
        #expect(
            diagnoses.messages == [
                "@Entry: 'unit' needs a default value: what a view reads where nobody has given one",
                "@Entry: \(elsewhere)", "@Entry: \(elsewhere)", "@Entry: \(elsewhere)", "@Entry: \(elsewhere)",
            ])
    }
}
