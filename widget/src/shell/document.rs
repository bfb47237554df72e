//! The page itself: its URL, its theme, the focus, and leaving it.

use std::cell::Cell;

use gloo_timers::callback::Timeout;
use leptos::prelude::{document, window};
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

use super::whole;
use crate::json;
use crate::page_data::{self, PageData};
use crate::page_url::{PageUrl, Theme};

pub(super) fn page_url() -> PageUrl {
    let location = window().location();
    PageUrl {
        path: location.pathname().unwrap_or_default(),
        query: location.search().unwrap_or_default(),
        fragment: location.hash().unwrap_or_default(),
        framed: super::host::is_framed(),
        secure: location.protocol().is_ok_and(|protocol| protocol == "https:"),
        origin: location.origin().unwrap_or_default(),
        can_share: share_function().is_some(),
    }
}

/// The data from which the server rendered the page.
pub(super) fn page_data() -> Option<Box<PageData>> {
    let text = document().get_element_by_id(page_data::ELEMENT)?.text_content()?;
    json::read(&text)
}

/// A random number that differs between pages opened at the same time.
pub(super) fn seed() -> u32 {
    u32::try_from(whole(js_sys::Math::random() * f64::from(u32::MAX))).unwrap_or(1)
}

pub(super) fn show_address(address: &str) {
    remember(&JsValue::NULL, address);
}

pub(super) fn set_theme(theme: Theme) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", theme.as_str());
    }
}

/// Sets the title of the page.
pub(super) fn name(title: &str) {
    // Setting an equal title would still replace its text node.
    if document().title() != title {
        document().set_title(title);
    }
}

/// Leaves the page without an entry in the history: the browser's back button does not return here.
pub(super) fn leave(url: &str) {
    let _ = window().location().replace(url);
}

/// Whether the payer has left for a wallet from this place in the history, and not come back since.
pub(super) fn forget_wallet() -> bool {
    let history = window().history().ok();
    let left = history.and_then(|history| history.state().ok()).is_some_and(|state| state.is_truthy());
    if left {
        remember(&JsValue::NULL, "");
    }
    left
}

/// Of this place in the history.
fn remember(state: &JsValue, address: &str) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(state, "", Some(address));
    }
}

/// Shows the address below a tag that the payer has noted.
pub(super) fn unfold() {
    if let Ok(Some(step)) = document().query_selector(".tag-step") {
        let _ = step.set_attribute("open", "");
    }
}

/// Desktops' WebKit replaces the page by an error if nobody has registered the scheme; there another window opens.
pub(super) fn open_wallet(url: &str) {
    remember(&JsValue::TRUE, "");
    let navigator = window().navigator();
    let vendor =
        js_sys::Reflect::get(&navigator, &"vendor".into()).ok().and_then(|vendor| vendor.as_string());
    let is_webkit = vendor.is_some_and(|vendor| vendor.starts_with("Apple"));
    if is_webkit && navigator.max_touch_points() == 0 {
        let _ = window().open_with_url_and_target_and_features(url, "_blank", "noopener,noreferrer");
    } else {
        let _ = window().location().assign(url);
    }
}

pub(super) fn print() {
    let _ = window().print();
}

/// `navigator.share`, which not every browser has.
fn share_function() -> Option<js_sys::Function> {
    js_sys::Reflect::get(&window().navigator(), &"share".into()).ok()?.dyn_into().ok()
}

pub(super) fn share(title: &str, text: &str) {
    let data = js_sys::Object::new();
    for (name, value) in [("title", title), ("text", text)] {
        let _ = js_sys::Reflect::set(&data, &name.into(), &value.into());
    }
    let shared = share_function().and_then(|share| share.call1(&window().navigator(), &data).ok());
    if let Some(promise) = shared.and_then(|shared| shared.dyn_into::<js_sys::Promise>().ok()) {
        // A payer who closes the list of apps has shared nothing, which is no error.
        spawn_local(async { drop(JsFuture::from(promise).await) });
    }
}

pub(super) fn reload() {
    let _ = window().location().reload();
}

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Focuses the heading of the new screen after it is rendered.
pub(super) fn focus(asked: bool) {
    ASKED.set(asked);
    if !asked && is_lost() {
        return;
    }
    let focus = || {
        // Does not take the focus from another page.
        let held = document().has_focus().unwrap_or(false);
        if held && (ASKED.get() || is_lost()) {
            let heading = document().query_selector("[data-heading]").ok().flatten();
            if let Some(heading) = heading {
                let _ = heading.unchecked_into::<HtmlElement>().focus();
            }
        }
    };
    Timeout::new(0, focus).forget();
}

/// True when nothing on the page has the focus.
fn is_lost() -> bool {
    document().active_element().is_none_or(|element| element.tag_name() == "BODY")
}
