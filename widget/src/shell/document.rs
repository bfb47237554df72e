//! The page itself: its address, its theme, the focus, leaving it.

use std::cell::Cell;

use js_sys::Object;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

use super::{document, js, whole, window};
use crate::place::{Place, Theme};

pub(super) fn place() -> Place {
    let location = location();
    Place {
        path: js::text(&location, "pathname"),
        query: js::text(&location, "search"),
        fragment: js::text(&location, "hash"),
        framed: !Object::is(&js::get(&window(), "parent"), &window()),
        secure: js::text(&location, "protocol") == "https:",
    }
}

fn location() -> JsValue {
    js::get(&window(), "location")
}

/// What tells pages apart that were opened in the same moment.
pub(super) fn seed() -> u32 {
    u32::try_from(whole(js_sys::Math::random() * f64::from(u32::MAX))).unwrap_or(1)
}

pub(super) fn show_address(address: &str) {
    let history = js::get(&window(), "history");
    js::call(&history, "replaceState", [JsValue::NULL, "".into(), address.into()]);
}

pub(super) fn set_theme(theme: Theme) {
    mark("data-theme", theme.code());
}

fn mark(name: &str, value: &str) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute(name, value);
    }
}

/// The title and the language of the page.
pub(super) fn name(title: &str, lang: &str) {
    // The browser would make a new text of the same title, too.
    if js::text(&document(), "title") != title {
        js::set(&document(), "title", &title.into());
    }
    mark("lang", lang);
}

/// Without an entry in the history: the way back of the browser does not lead here again.
pub(super) fn leave(url: &str) {
    js::call(&location(), "replace", [url.into()]);
}

pub(super) fn reload() {
    js::call(&location(), "reload", []);
}

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Puts the focus on the heading of the new screen, once it is drawn.
pub(super) fn focus(asked: bool) {
    ASKED.set(asked);
    if !asked && is_lost() {
        return;
    }
    let settle = Closure::once_into_js(|| {
        // Not out of another page's hands.
        let held = js::call(&document(), "hasFocus", []).is_some_and(|held| held.is_truthy());
        if held && (ASKED.get() || is_lost()) {
            let heading = js::call(&document(), "querySelector", ["[data-heading]".into()]);
            js::call(&heading.unwrap_or_default(), "focus", []);
        }
    });
    js::call(&window(), "setTimeout", [settle]);
}

/// Nothing on the page has the focus.
fn is_lost() -> bool {
    let active = js::get(&document(), "activeElement");
    active.is_null() || js::text(&active, "tagName") == "BODY"
}
