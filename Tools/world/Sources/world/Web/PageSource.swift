/// What a browser is given: the page, its script and its style. The script builds the page by `createElement` and
/// `textContent` alone, so no text becomes markup.
enum PageSource {
    /// The page around what is shown first, which is HTML already.
    static func html(content: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>World</title>
        <link rel="stylesheet" href="/face.css">
        <script src="/face.js" defer></script>
        </head>
        <body><p id="status" role="status"></p><main id="face">\(content)</main></body>
        </html>
        """
    }

    static let style = """
        body { font: 16px/1.4 system-ui, sans-serif; margin: 0 auto; max-width: 48rem; padding: 0 1rem; }
        #status:empty { display: none; }
        #status { background: #fe9; padding: .5rem; }
        .k-Page { display: flex; flex-direction: column; }
        .k-Page:not(:last-child) { display: none; }
        .k-NavigationTitle { order: -5; margin: .5rem 0; }
        .k-back { order: -6; align-self: flex-start; }
        .k-Toolbar { order: -4; }
        .k-SearchField { order: -3; font: inherit; padding: .3rem; }
        .k-SearchScopes { order: -2; align-self: flex-start; margin: .5rem 0; }
        .k-Header { font-weight: bold; margin: 1rem 0 .25rem; }
        .k-HStack, .k-LabeledContent, .k-ToolbarItem { display: flex; gap: .75rem; padding: .15rem 0; }
        .k-HStack > *, .k-LabeledContent > * { flex: 1; }
        .k-HStack > .k-Toggle { flex: none; }
        .k-NavigationLink { font: inherit; text-align: left; background: none; border: 0; color: #06c; cursor: pointer; }
        .k-Alert, .k-ConfirmationDialog, .k-Sheet { position: fixed; inset: 20% 10%; background: #fff;
            border: 1px solid; padding: 1rem; overflow: auto; }
        .secondary { color: #666; }
        .hidden { display: none; }
        .labelsHidden > :not(input) { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
        """
}
