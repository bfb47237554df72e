//! What is drawn, as data: one type for every element, so that the code that draws it exists once
//! (typed element trees cost this widget 100 KB), and so that tests can read the page natively.

use std::borrow::Cow;

use crate::event::Act;

#[derive(Debug)]
pub enum Node {
    Text(Cow<'static, str>),
    Element(Element),
}

/// An element in the making. Its methods are calls, not inlined: there are hundreds of them.
#[derive(Debug)]
pub struct Element(pub Box<Facts>);

#[derive(Debug, Default)]
pub struct Facts {
    pub tag: &'static str,
    /// Elements of different kinds are never turned into each other.
    pub kind: &'static str,
    pub attributes: Vec<(&'static str, Cow<'static, str>)>,
    /// Markup of our own (a drawing) instead of children.
    pub markup: Option<Cow<'static, str>>,
    pub on: Option<On>,
    pub children: Vec<Node>,
}

/// What a payer can do to an element.
#[derive(Clone, Debug)]
pub enum On {
    Click(Act),
    /// Another option of a `<select>` was chosen.
    Select(fn(&str) -> Option<Act>),
}

#[inline(never)]
pub fn el(tag: &'static str, class: &'static str) -> Element {
    let element = Element(Box::new(Facts { tag, ..Facts::default() }));
    if class.is_empty() { element } else { element.attr("class", class) }
}

impl Element {
    #[must_use]
    #[inline(never)]
    pub fn kind(mut self, kind: &'static str) -> Self {
        self.0.kind = kind;
        self
    }

    #[must_use]
    #[inline(never)]
    pub fn attr(mut self, name: &'static str, value: &'static str) -> Self {
        self.0.attributes.push((name, Cow::Borrowed(value)));
        self
    }

    #[must_use]
    #[inline(never)]
    pub fn attr_of(mut self, name: &'static str, value: String) -> Self {
        self.0.attributes.push((name, Cow::Owned(value)));
        self
    }

    /// The hook of a fact: its name, and its value for machines.
    #[must_use]
    #[inline(never)]
    pub fn part(self, name: &'static str, value: &'static str) -> Self {
        self.attr("data-part", name).attr("data-value", value)
    }

    #[must_use]
    #[inline(never)]
    pub fn part_of(self, name: &'static str, value: String) -> Self {
        self.attr("data-part", name).attr_of("data-value", value)
    }

    #[must_use]
    #[inline(never)]
    pub fn click(mut self, act: Act) -> Self {
        self.0.on = Some(On::Click(act));
        self
    }

    #[must_use]
    pub fn select(mut self, react: fn(&str) -> Option<Act>) -> Self {
        self.0.on = Some(On::Select(react));
        self
    }

    #[must_use]
    pub fn markup(mut self, markup: impl Into<Cow<'static, str>>) -> Self {
        self.0.markup = Some(markup.into());
        self
    }

    #[must_use]
    #[inline(never)]
    pub fn child(mut self, child: Element) -> Self {
        self.0.children.push(Node::Element(child));
        self
    }

    /// A child that keeps its place when it is not there.
    #[must_use]
    #[inline(never)]
    pub fn child_if(mut self, child: Option<Element>) -> Self {
        self.0.children.push(child.map_or(Node::Text(Cow::Borrowed("")), Node::Element));
        self
    }

    #[must_use]
    #[inline(never)]
    pub fn text(mut self, text: &'static str) -> Self {
        self.0.children.push(Node::Text(Cow::Borrowed(text)));
        self
    }

    #[must_use]
    #[inline(never)]
    pub fn text_of(mut self, text: String) -> Self {
        self.0.children.push(Node::Text(Cow::Owned(text)));
        self
    }

    /// Children whose number varies, after all others.
    #[must_use]
    pub fn children(self, children: impl Iterator<Item = Element>) -> Self {
        children.fold(self, Self::child)
    }
}
