import Foundation
import Testing
import WorldFaces

@Suite struct PageProtocolTests {
    private func request(_ text: String) -> PageRequest? { PageRequest(json: Array(text.utf8)) }

    @Test("Requests have a node, an action and a value of a plain type")
    func requests() {
        #expect(request(#"{"node":1,"action":"press"}"#) == PageRequest(node: 1, action: "press"))
        #expect(request(#"{"node":1,"action":"set","value":"a"}"#)?.value == .text("a"))
        #expect(request(#"{"node":1,"action":"set","value":true}"#)?.value == .flag(true))
        #expect(request(#"{"node":1,"action":"set","value":1.5}"#)?.value == .number(1.5))
        #expect(request(#"{"node":1,"action":"select","value":[1,2]}"#)?.value == .integers([1, 2]))
    }

    @Test(
        "What is no request, or too long, is none",
        arguments: [
            "", "[]", "{}", #"{"node":"1","action":"press"}"#, #"{"node":1,"action":"set","value":{"a":1}}"#,
            #"{"node":1,"action":"set","value":["a"]}"#, #"{"node":1e99,"action":"set"}"#,
            #"{"node":1,"action":"\#(String(repeating: "a", count: 33))"}"#,
            #"{"node":1,"action":"set","value":"\#(String(repeating: "a", count: 1001))"}"#,
            #"{"node":1,"action":"set","value":[\#(Array(repeating: "1", count: 1001).joined(separator: ","))]}"#,
            #"{"node":1,"action":"set"\#(String(repeating: " ", count: 8192))}"#,
        ])
    func refusals(text: String) { #expect(request(text) == nil) }

    private func tree(_ text: String) -> FaceNode {
        FaceNode(
            id: 1, content: .init(kind: "Root"),
            children: [FaceNode(id: 2, content: .init(kind: "Text", value: .text(text)))])
    }

    @Test("One message is on its way, and the next is made from the last one sent")
    func flow() {
        var flow = PatchFlow(page: "p")
        let now = ContinuousClock.now
        #expect(flow.show(tree("a"), at: now) == ServerSentEvent(number: 1, message: .tree(page: "p", tree("a"))))
        for text in ["b", "c", "d"] { #expect(flow.show(tree(text), at: now) == nil) }
        #expect(flow.acknowledge(7, at: now) == nil)
        let patch = TreePatch(from: tree("a"), to: tree("d"))
        #expect(flow.acknowledge(1, at: now) == ServerSentEvent(number: 2, message: .patch(patch)))
        #expect(flow.acknowledge(1, at: now) == nil)
        #expect(flow.acknowledge(2, at: now) == nil)
        #expect(flow.show(tree("d"), at: now) == nil)
        #expect(flow.show(tree("e"), at: now)?.number == 3)
    }

    @Test("A message that is not answered is overdue, and only that")
    func overdue() {
        var flow = PatchFlow(page: "p")
        let now = ContinuousClock.now
        #expect(!flow.isOverdue(at: now + .seconds(99), limit: .seconds(1)))
        _ = flow.show(tree("a"), at: now)
        #expect(!flow.isOverdue(at: now + .seconds(1), limit: .seconds(1)))
        #expect(flow.isOverdue(at: now + .seconds(2), limit: .seconds(1)))
        _ = flow.acknowledge(1, at: now)
        #expect(!flow.isOverdue(at: now + .seconds(99), limit: .seconds(1)))
    }

    @Test("An event is three lines, whatever is in its texts, and is read as it was")
    func events() throws {
        let hostile = tree("</script>\n\ndata: x\r\n\u{1B}[2J\u{2028}")
        let event = ServerSentEvent(number: 9, message: .tree(page: "p", hostile))
        let text = try event.encoded()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count == 5)
        #expect(!text.contains("\r"))
        #expect(!text.contains("\u{1B}"))
        #expect(ServerSentEvent(lines: Array(lines.prefix(3))) == event)
    }

    @Test("Hostile texts are texts in the page's HTML")
    func html() {
        let html = tree("</script><img src=x onerror=alert(1)>\u{1B}").html
        #expect(!html.contains("<img"))
        #expect(!html.contains("</script>"))
        #expect(html.contains("&lt;/script&gt;"))
        var content = FaceNode.Content(kind: "SearchField", value: .text("\" autofocus onfocus=\"x"))
        content.attributes["prompt"] = .text("'><")
        #expect(
            FaceNode(id: 1, content: content).html
                == "<input disabled class=\"k-SearchField\" value=\"&quot; autofocus onfocus=&quot;x\" placeholder=\"&#39;&gt;&lt;\">"
        )
    }
}
