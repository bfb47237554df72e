//! How Leptos draws a [`Node`]: built once, then changed in place, so that the focus, the payer's
//! selection and running animations stay.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use leptos::mount::mount_to_renderer;
use leptos::prelude::{ArcTrigger, Track};
use leptos::tachys::view::{Mountable, Render};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element as DomElement, HtmlElement, Node as DomNode, Text};

use super::{dispatch, document, js};
use crate::event::What;
use crate::view::node::{Element, Facts, Node, On, el};

/// Draws into `target` what `page` gives, now and after each `change`.
pub(super) fn mount(target: &HtmlElement, change: ArcTrigger, page: fn() -> Option<Element>) {
    let draw = move || {
        change.track();
        Drawing(page())
    };
    mount_to_renderer(target, move || draw).forget();
}

/// A page; `None`: as it was.
struct Drawing(Option<Element>);

impl Render for Drawing {
    type State = Drawn;

    fn build(self) -> Drawn {
        build(Node::Element(self.0.unwrap_or_else(|| el("main", ""))))
    }

    fn rebuild(self, drawn: &mut Drawn) {
        if let Some(page) = self.0 {
            rebuild(Node::Element(page), drawn);
        }
    }
}

/// A node that stands in the page.
enum Drawn {
    Text { dom: Text, text: Cow<'static, str> },
    Element(Box<DrawnElement>),
}

struct DrawnElement {
    dom: DomElement,
    /// As it was last drawn, without its children.
    facts: Facts,
    on: Rc<RefCell<Option<On>>>,
    children: Vec<Drawn>,
}

impl Mountable for Drawn {
    fn unmount(&mut self) {
        js::call(self.dom(), "remove", []);
    }

    fn mount(&mut self, parent: &DomElement, marker: Option<&DomNode>) {
        let _ = parent.insert_before(self.dom(), marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let dom = self.dom();
        let Some(parent) = dom.parent_node() else { return false };
        child.mount(parent.unchecked_ref(), Some(dom));
        true
    }

    fn elements(&self) -> Vec<DomElement> {
        match self {
            Self::Text { .. } => Vec::new(),
            Self::Element(element) => vec![element.dom.clone()],
        }
    }
}

impl Drawn {
    fn dom(&self) -> &DomNode {
        match self {
            Self::Text { dom, .. } => dom,
            Self::Element(element) => &element.dom,
        }
    }
}

fn build(node: Node) -> Drawn {
    let mut facts = match node {
        Node::Text(text) => return Drawn::Text { dom: document().create_text_node(&text), text },
        Node::Element(element) => *element.0,
    };
    // The tags of the views are valid: this cannot throw.
    let dom = js::call(&document(), "createElement", [facts.tag.into()]).unwrap_or_default();
    let dom: DomElement = dom.unchecked_into();
    for (name, value) in &facts.attributes {
        let _ = dom.set_attribute(name, value);
    }
    if let Some(markup) = &facts.markup {
        dom.set_inner_html(markup);
    }
    let children: Vec<_> = core::mem::take(&mut facts.children).into_iter().map(build).collect();
    for child in &children {
        let _ = dom.append_child(child.dom());
    }
    let on = Rc::new(RefCell::new(facts.on.take()));
    if let Some(on_now) = &*on.borrow() {
        listen(&dom, on_now, on.clone());
    }
    Drawn::Element(Box::new(DrawnElement { dom, facts, on, children }))
}

fn listen(dom: &DomElement, first: &On, on: Rc<RefCell<Option<On>>>) {
    let name = match first {
        On::Click(_) => "click",
        On::Select(_) => "change",
    };
    let react: Closure<dyn FnMut(JsValue)> = Closure::new(move |event: JsValue| {
        let act = match &*on.borrow() {
            Some(On::Click(act)) => Some(*act),
            Some(On::Select(react)) => react(&js::text(&js::get(&event, "target"), "value")),
            None => None,
        };
        act.map(What::Did).into_iter().for_each(dispatch);
    });
    // It lives as long as the element may: the browser frees both together.
    let _ = dom.add_event_listener_with_callback(name, react.into_js_value().unchecked_ref());
}

fn rebuild(node: Node, drawn: &mut Drawn) {
    match (node, &mut *drawn) {
        (Node::Text(new), Drawn::Text { dom, text }) => {
            if *text != new {
                dom.set_data(&new);
                *text = new;
            }
        }
        (Node::Element(new), Drawn::Element(old))
            if new.0.tag == old.facts.tag
                && new.0.kind == old.facts.kind
                && new.0.on.is_some() == old.on.borrow().is_some() =>
        {
            change(*new.0, old);
        }
        (node, drawn) => {
            let new = build(node);
            js::call(drawn.dom(), "replaceWith", [new.dom().into()]);
            *drawn = new;
        }
    }
}

fn change(mut new: Facts, drawn: &mut DrawnElement) {
    let (dom, old) = (&drawn.dom, &drawn.facts);
    for attribute in &new.attributes {
        if !old.attributes.contains(attribute) {
            let _ = dom.set_attribute(attribute.0, &attribute.1);
        }
    }
    for (name, _) in &old.attributes {
        if !new.attributes.iter().any(|(kept, _)| kept == name) {
            let _ = dom.remove_attribute(name);
        }
    }
    if new.markup != old.markup {
        dom.set_inner_html(new.markup.as_deref().unwrap_or_default());
    }
    *drawn.on.borrow_mut() = new.on.take();
    let children = core::mem::take(&mut new.children);
    for surplus in drawn.children.drain(children.len().min(drawn.children.len())..) {
        js::call(surplus.dom(), "remove", []);
    }
    for (index, child) in children.into_iter().enumerate() {
        if let Some(old) = drawn.children.get_mut(index) {
            rebuild(child, old);
        } else {
            let child = build(child);
            let _ = drawn.dom.append_child(child.dom());
            drawn.children.push(child);
        }
    }
    drawn.facts = new;
}
