extension FaceNode {
    /// The tree as HTML that shows and does nothing: what a browser has before its script takes over. Every text is
    /// escaped; kinds and names of attributes come from code. O(nodes).
    public var html: String {
        switch kind {
        case "Text": return "<span class=\"k-Text\">\((content.value?.text ?? "").escapedForHTML)</span>"
        case "NavigationTitle":
            return "<h1 class=\"k-NavigationTitle\">\((content.value?.text ?? "").escapedForHTML)</h1>"
        case "SearchField", "TextField":
            let (text, prompt) = (content.value?.text ?? "", content.attributes["prompt"]?.text ?? "")
            return "<input disabled class=\"k-\(kind)\" value=\"\(text.escapedForHTML)\""
                + " placeholder=\"\(prompt.escapedForHTML)\">"
        default:
            let hidden = content.attributes["labelsHidden"] == .flag(true) ? " labelsHidden" : ""
            return "<div class=\"k-\(kind.escapedForHTML)\(hidden)\">\(children.map(\.html).joined())</div>"
        }
    }
}
