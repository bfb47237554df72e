//! The page itself: its address, its theme, the focus, leaving it.

use std::cell::Cell;

use js_sys::Object;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

use super::{document, whole, window};
use crate::place::{Place, Theme};

pub(super) fn place() -> Place {
    let location = window().location();
    Place {
        path: location.pathname().unwrap_or_default(),
        query: location.search().unwrap_or_default(),
        fragment: location.hash().unwrap_or_default(),
        framed: is_framed(),
        secure: location.protocol().is_ok_and(|protocol| protocol == "https:"),
    }
}

fn is_framed() -> bool {
    let window = window();
    window.parent().ok().flatten().is_some_and(|parent| !Object::is(&parent, &window))
}

/// What tells pages apart that were opened in the same moment.
pub(super) fn seed() -> u32 {
    u32::try_from(whole(js_sys::Math::random() * f64::from(u32::MAX))).unwrap_or(1)
}

pub(super) fn show_address(address: &str) {
    let history = window().history();
    let _ = history.and_then(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(address)));
}

pub(super) fn set_theme(theme: Theme) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", theme.code());
    }
}

/// The title and the language of the page.
pub(super) fn name(title: &str, lang: &str) {
    let page = document();
    if page.title() != title {
        page.set_title(title);
    }
    if let Some(root) = page.document_element() {
        let _ = root.set_attribute("lang", lang);
    }
}

pub(super) fn leave(url: &str) {
    let _ = window().location().replace(url);
}

pub(super) fn reload() {
    let _ = window().location().reload();
}

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Puts the focus on the heading of the new screen, once it is drawn.
pub(super) fn focus(asked: bool) {
    let held = document().active_element().is_some_and(|element| element.tag_name() != "BODY");
    ASKED.set(asked);
    if !asked && !held {
        return;
    }
    let settle = Closure::once_into_js(|| {
        let page = document();
        // Not out of another page's hands.
        if !page.has_focus().unwrap_or(false) {
            return;
        }
        let lost = page.active_element().is_none_or(|element| element.tag_name() == "BODY");
        let heading = page.query_selector("[data-heading]").ok().flatten();
        if let Some(heading) = heading.filter(|_| ASKED.get() || lost) {
            let _ = heading.unchecked_into::<HtmlElement>().focus();
        }
    });
    let _ = window().set_timeout_with_callback(settle.unchecked_ref());
}
