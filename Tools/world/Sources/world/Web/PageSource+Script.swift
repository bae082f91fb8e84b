extension PageSource {
    static let script = #"""
        "use strict";
        // The nodes by number: what they say, their children's numbers, and their elements.
        const nodes = new Map();
        let page = null;
        const face = document.getElementById("face");
        const status = document.getElementById("status");

        function post(path, body) {
            return fetch("/pages/" + page + path, {
                method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body)
            });
        }
        function act(id, action, value) {
            const request = { node: id, action: action };
            if (value !== undefined) request.value = value;
            post("/actions", request);
        }

        const pickers = new Set(["Picker", "SearchScopes"]);
        const fields = new Set(["TextField", "SearchField", "SecureField"]);
        const buttons = new Set(["Button", "EditButton", "NavigationLink"]);

        // What is empty is not sent.
        function filled(content) {
            return Object.assign({ actions: [], attributes: {}, selected: [] }, content);
        }

        function tag(kind) {
            if (kind === "Text" || kind === "Image") return "span";
            if (kind === "NavigationTitle") return "h1";
            if (kind === "TextEditor") return "textarea";
            if (fields.has(kind)) return "input";
            if (buttons.has(kind)) return "button";
            if (kind === "Toggle") return "label";
            return "div";
        }

        function make(data) {
            const element = document.createElement(tag(data.content.kind));
            const node = { id: data.id, content: filled(data.content), children: [], parent: null, element, extra: null };
            nodes.set(data.id, node);
            const kind = data.content.kind;
            element.className = "k-" + kind;
            if (kind === "Toggle") {
                node.extra = document.createElement("input");
                node.extra.type = "checkbox";
                node.extra.addEventListener("change", () => act(node.id, "set", node.extra.checked));
            } else if (pickers.has(kind)) {
                node.extra = document.createElement("select");
                node.extra.addEventListener("change", () => act(node.id, "select", Number(node.extra.value)));
            } else if (kind === "TextEditor" || fields.has(kind)) {
                if (kind === "SecureField") element.type = "password";
                element.addEventListener("input", () => act(node.id, "set", element.value));
                element.addEventListener("keydown", event => {
                    if (event.key === "Enter" && node.content.actions.includes("submit")) act(node.id, "submit");
                });
            } else if (buttons.has(kind)) {
                element.type = "button";
                element.addEventListener("click", () => act(node.id, "press"));
            } else if (kind === "Page" || kind === "Sheet" || kind === "Alert" || kind === "ConfirmationDialog") {
                node.extra = document.createElement("button");
                node.extra.type = "button";
                node.extra.className = "k-back";
                node.extra.textContent = kind === "Page" ? "‹ Back" : "Close";
                node.extra.addEventListener("click", () => act(node.id, "dismiss"));
            }
            place(node, (data.children || []).map(make));
            refresh(node);
            return node;
        }

        function place(node, children) {
            node.children = children.map(child => child.id);
            for (const child of children) child.parent = node.id;
            const elements = children.map(child => child.element);
            if (node.extra) elements.unshift(node.extra);
            if (!fields.has(node.content.kind)) node.element.replaceChildren(...elements);
        }

        function texts(node) {
            const own = node.content.kind === "Text" ? [node.content.value || ""] : [];
            return own.concat(node.children.flatMap(id => texts(nodes.get(id))));
        }

        function refresh(node) {
            const { kind, value, actions, attributes } = node.content;
            const element = node.element;
            if (kind === "Text" || kind === "NavigationTitle") {
                element.textContent = value === undefined ? "" : String(value);
            } else if (kind === "Toggle") {
                node.extra.checked = value === true;
                node.extra.disabled = !actions.includes("set");
            } else if (pickers.has(kind)) {
                const options = node.children.map(id => nodes.get(id)).filter(child => child.content.kind !== "Title");
                node.extra.replaceChildren(...options.map(child => {
                    child.element.classList.add("hidden");
                    const option = document.createElement("option");
                    option.value = String(child.id);
                    option.textContent = texts(child).join(" ");
                    option.selected = node.content.selected.includes(child.id);
                    return option;
                }));
                node.extra.disabled = !actions.includes("select");
            } else if (kind === "TextEditor" || fields.has(kind)) {
                // What is being typed is newer than what the server has.
                if (document.activeElement !== element && kind !== "SecureField") element.value = value || "";
                element.placeholder = attributes.prompt || "";
                element.disabled = !actions.includes("set");
            } else if (buttons.has(kind)) {
                element.disabled = !actions.includes("press");
            } else if (node.extra) {
                node.extra.hidden = !actions.includes("dismiss");
            }
            element.classList.toggle("secondary", attributes.foregroundStyle === "secondary");
            element.classList.toggle("labelsHidden", attributes.labelsHidden === true);
        }

        // A picker shows the texts inside itself.
        function refreshAround(node) {
            refresh(node);
            for (let id = node.parent; id !== null; id = nodes.get(id).parent) {
                if (pickers.has(nodes.get(id).content.kind)) refresh(nodes.get(id));
            }
        }

        function forget(id) {
            const node = nodes.get(id);
            for (const child of node.children) forget(child);
            nodes.delete(id);
        }

        function apply(change) {
            const node = nodes.get(change.id);
            if (change.content) node.content = filled(change.content);
            if (change.children) {
                const kept = new Set(change.children.filter(child => typeof child === "number"));
                for (const id of node.children) if (!kept.has(id)) forget(id);
                place(node, change.children.map(child => typeof child === "number" ? nodes.get(child) : make(child)));
            }
            refreshAround(node);
        }

        function connect() {
            const stream = new EventSource("/events");
            const received = event => post("/receipts", { received: Number(event.lastEventId) });
            stream.addEventListener("tree", event => {
                const data = JSON.parse(event.data);
                page = data.page;
                nodes.clear();
                face.replaceChildren(make(data.tree).element);
                status.textContent = "";
                received(event);
            });
            stream.addEventListener("patch", event => {
                for (const change of JSON.parse(event.data).changes) apply(change);
                received(event);
            });
            stream.addEventListener("error", () => {
                status.textContent = "Not connected. Trying again.";
                if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 5000);
            });
        }
        connect();
        """#
}
