import Testing

@Suite("#Preview")
struct PreviewTests {
    @Test("expands to nothing") func expandsToNothing() {
        expectExpansion(
            of: """
                #Preview("Cities") {
                    let city = City("Bonn")
                    CityView(city)
                }
                """, is: "")
    }
}
