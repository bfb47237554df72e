//! The client's first render replaces the server's markup with equal markup. Focus, selection and open
//! details move from the old elements to the new ones at the same positions.

use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement, Node};

/// The focus, the selection, the open details and the switches that are on.
pub(super) struct Preserved {
    focus: Option<Path>,
    selection: Option<(TextPosition, TextPosition)>,
    opened: Vec<Path>,
    checked: Vec<Path>,
}

/// The index of each element among its siblings, from the root down.
type Path = Vec<u32>;

/// A position in the text of an element, in UTF-16 code units.
type TextPosition = (Path, u32);

impl Preserved {
    pub(super) fn read(root: &HtmlElement) -> Self {
        let focus = document().active_element().filter(|element| *element != **root);
        let all = |selector| {
            let found = root.query_selector_all(selector).into_iter();
            let found = found.flat_map(|list| (0..list.length()).filter_map(move |i| list.get(i)));
            found.filter_map(|element| path(root, element.unchecked_ref())).collect()
        };
        Self {
            focus: focus.and_then(|element| path(root, &element)),
            selection: selection(root),
            opened: all("details[open]"),
            checked: all("input:checked"),
        }
    }

    pub(super) fn restore(self, root: &HtmlElement) {
        for (attribute, paths) in [("open", &self.opened), ("checked", &self.checked)] {
            for element in paths.iter().filter_map(|path| find(root, path)) {
                let _ = element.set_attribute(attribute, "");
            }
        }
        if let Some(element) = self.focus.and_then(|path| find(root, &path)) {
            let options = FocusOptions::new();
            options.set_prevent_scroll(true);
            let _ = element.unchecked_into::<HtmlElement>().focus_with_options(&options);
        }
        let place =
            |(path, offset): TextPosition| find(root, &path).and_then(|element| text_at(&element, offset));
        if let Some((anchor, focus)) = self.selection
            && let (Some((from, start)), Some((to, end))) = (place(anchor), place(focus))
            && let Ok(Some(selection)) = window().get_selection()
        {
            let _ = selection.set_base_and_extent(&from, start, &to, end);
        }
    }
}

fn path(root: &HtmlElement, element: &Element) -> Option<Path> {
    let mut path = Vec::new();
    let mut current = element.clone();
    while current != **root {
        let parent = current.parent_element()?;
        let children = parent.children();
        path.push((0..children.length()).find(|i| children.item(*i).as_ref() == Some(&current))?);
        current = parent;
    }
    path.reverse();
    Some(path)
}

fn find(root: &HtmlElement, path: &[u32]) -> Option<Element> {
    path.iter().try_fold(Element::from(root.clone()), |element, index| element.children().item(*index))
}

fn selection(root: &HtmlElement) -> Option<(TextPosition, TextPosition)> {
    let selection = window().get_selection().ok().flatten().filter(|selection| !selection.is_collapsed())?;
    let anchor = place(root, &selection.anchor_node()?, selection.anchor_offset())?;
    Some((anchor, place(root, &selection.focus_node()?, selection.focus_offset())?))
}

fn place(root: &HtmlElement, node: &Node, offset: u32) -> Option<TextPosition> {
    let parent = node.parent_element().filter(|_| node.node_type() == Node::TEXT_NODE)?;
    let before = texts(&parent).into_iter().take_while(|text| text != node);
    Some((path(root, &parent)?, before.map(|text| length(&text)).sum::<u32>() + offset))
}

fn text_at(element: &Element, mut offset: u32) -> Option<(Node, u32)> {
    for text in texts(element) {
        if offset <= length(&text) {
            return Some((text, offset));
        }
        offset -= length(&text);
    }
    None
}

fn texts(element: &Element) -> Vec<Node> {
    let nodes = element.child_nodes();
    let nodes = (0..nodes.length()).filter_map(|i| nodes.get(i));
    nodes.filter(|node| node.node_type() == Node::TEXT_NODE).collect()
}

fn length(text: &Node) -> u32 {
    let units = text.node_value().map_or(0, |text| text.encode_utf16().count());
    u32::try_from(units).unwrap_or(u32::MAX)
}
