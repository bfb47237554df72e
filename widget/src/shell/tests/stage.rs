//! The page in the browser, and what the tests read of it.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

/// A payment of 0.00412345 BTC, drawn by the server.
const MAIN: &str = include_str!("../../../tests/drawn/pay.html");
pub(super) const DATA: &str = include_str!("../../../tests/drawn/pay.json");

/// Milliseconds after which the announcement of the first screen has ended.
pub(super) const ANNOUNCED: u32 = 8_000;

/// There is no gateway: every poll learns that nothing has changed.
const NOTHING_NEW: &str = "window.fetch = async () => new Response(null, { status: 304 });";

/// The page's calls of the clipboard. The real one needs a payer's click, which the journeys make.
const RECORDED: &str = "
    const copied = [];
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: (text) => {
        if (!works) return Promise.reject(new Error('not allowed'));
        copied.push(text);
        return Promise.resolve();
    } } });
    document.execCommand = (command) => {
        const { value, selectionStart, selectionEnd } = document.activeElement;
        copied.push(`${command === 'copy' ? '' : command}${value.slice(selectionStart, selectionEnd)}`);
        return true;
    };
    return copied;";

const OBSERVED: &str = "
    const changes = [];
    const part = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest('[data-part]')?.dataset.part;
    new MutationObserver((records) => records.forEach(({ target }) => changes.push(part(target) ?? 'page')))
        .observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    return changes;";

/// Elements with their names, classes and parts.
const SHAPE: &str = "return [...root.querySelectorAll('*')].map((element) =>
    `${element.tagName} ${element.getAttribute('class')} ${element.dataset.part}`).join('\\n');";

pub(super) struct Stage {
    root: HtmlElement,
    /// The shape of the server's markup.
    pub(super) drawn: String,
}

impl Stage {
    pub(super) fn drawn() -> Self {
        Self::drawn_with(DATA)
    }

    pub(super) fn drawn_with(data: &str) -> Self {
        script(NOTHING_NEW, &[]);
        let url = "/checkout/0198c5a4-6f0e-7cc1-9c8f-0d4f5a1b2c3d?sessionToken=abc&theme=LIGHT&locale=en-US";
        let history = window().history().expect("a window has a history");
        history.replace_state_with_url(&JsValue::NULL, "", Some(url)).expect("the origin is the same");
        let stage = document().get_element_by_id("stage").unwrap_or_else(|| {
            let stage = document().create_element("div").expect("a document makes elements");
            stage.set_id("stage");
            let body = document().body().expect("the document has a body");
            body.append_child(&stage).expect("a body takes elements").unchecked_into()
        });
        stage.set_inner_html(&format!(
            "<div id=\"checkout\">{MAIN}</div><script type=\"application/json\" id=\"checkout-data\">{data}</script>"
        ));
        let root = document().get_element_by_id("checkout").expect("was written above").unchecked_into();
        let mut drawn = Self { root, drawn: String::new() };
        drawn.drawn = drawn.shape();
        drawn
    }

    pub(super) fn start(&self) {
        super::super::start().map_err(JsValue::from).expect("the page starts");
        assert!(self.root.is_connected());
    }

    pub(super) fn find(&self, selector: &str) -> HtmlElement {
        let found = self.root.query_selector(selector).expect("a selector");
        found.unwrap_or_else(|| panic!("the page has no {selector}")).unchecked_into()
    }

    pub(super) fn text(&self, selector: &str) -> String {
        self.find(selector).text_content().unwrap_or_default()
    }

    pub(super) fn click(&self, selector: &str) {
        self.find(selector).click();
    }

    pub(super) fn shape(&self) -> String {
        script(SHAPE, &[("root", self.root.clone().into())]).as_string().expect("a text")
    }

    /// Opens the details, selects the amount and gives this element the focus.
    pub(super) fn hold(&self, focused: &str) {
        self.find("details").set_attribute("open", "").expect("an element takes attributes");
        self.find(focused).focus().expect("it takes the focus");
        let selection =
            window().get_selection().expect("a window selects").expect("it is not a hidden frame");
        let text = self.find("[data-part=amount]").first_child().expect("the amount is a text");
        let length = u32::try_from(text.text_content().unwrap_or_default().len()).expect("a short text");
        selection.set_base_and_extent(&text, 0, &text, length).expect("a text can be selected");
    }

    /// Whether the details are open, the part that has the focus, and the selected text.
    pub(super) fn held(&self) -> (bool, String, String) {
        let focus = document().active_element().and_then(|element| element.get_attribute("data-part"));
        let selection = window().get_selection().ok().flatten().map(|selection| selection.to_string());
        let selected = selection.and_then(|text| text.as_string()).unwrap_or_default();
        (self.find("details").has_attribute("open"), focus.unwrap_or_default(), selected)
    }

    /// Records the part of every change from now on.
    pub(super) fn observe(&self) -> Recorded {
        Recorded(script(OBSERVED, &[("root", self.root.clone().into())]).unchecked_into())
    }

    /// Records copied texts; the newer way of copying works or is refused.
    pub(super) fn record_clipboard(&self, works: bool) -> Recorded {
        Recorded(script(RECORDED, &[("works", works.into())]).unchecked_into())
    }

    pub(super) async fn until_copied(&self, part: &str) {
        let label = || self.text(&format!("[data-part={part}]"));
        for _ in 0..100 {
            if label().trim() == "Copied" {
                return;
            }
            pause(20).await;
        }
        panic!("{part} says {:?} after two seconds", label());
    }
}

/// A list that grows.
pub(super) struct Recorded(Array);

impl Recorded {
    pub(super) fn texts(&self) -> Vec<String> {
        self.0.iter().filter_map(|text| text.as_string()).collect()
    }
}

pub(super) async fn pause(milliseconds: u32) {
    let timer = Rc::new(RefCell::new(None));
    let promise = Promise::new(&mut |done, _| {
        *timer.borrow_mut() = Some(Timeout::new(milliseconds, move || drop(done.call0(&JsValue::NULL))));
    });
    JsFuture::from(promise).await.expect("a timer rings");
}

/// Runs a function body with these arguments.
fn script(body: &str, arguments: &[(&str, JsValue)]) -> JsValue {
    let names: Vec<&str> = arguments.iter().map(|(name, _)| *name).collect();
    let values: Array = arguments.iter().map(|(_, value)| value).collect();
    let function = Function::new_with_args(&names.join(","), body);
    Reflect::apply(&function, &JsValue::NULL, &values).expect("the script runs")
}
