//! Copies text and reports whether it worked.

use leptos::prelude::{document, window};
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlDocument, HtmlElement, HtmlTextAreaElement};

use super::dispatch;
use crate::event::What;
use crate::screen::Field;

pub(super) fn copy(field: Field, text: String) {
    // `navigator.clipboard` exists on secure pages only, and in a frame only with permission.
    let clipboard = window().navigator().clipboard();
    let written = (!clipboard.is_undefined()).then(|| clipboard.write_text(&text));
    spawn_local(async move {
        let done = match written {
            Some(promise) => JsFuture::from(promise).await.is_ok() || copy_by_selection(&text).is_some(),
            None => copy_by_selection(&text).is_some(),
        };
        if done {
            deselect(&text);
        }
        dispatch(What::Copied { field, done });
    });
}

fn copy_by_selection(text: &str) -> Option<()> {
    let document = document();
    let focused = document.active_element();
    let area: HtmlTextAreaElement = document.create_element("textarea").ok()?.unchecked_into();
    area.set_class_name("offscreen");
    area.set_read_only(true);
    area.set_value(text);
    document.body()?.append_child(&area).ok()?;
    area.select();
    let done = document.unchecked_ref::<HtmlDocument>().exec_command("copy").unwrap_or(false);
    area.remove();
    if let Some(focused) = focused {
        let _ = focused.unchecked_ref::<HtmlElement>().focus();
    }
    done.then_some(())
}

/// A tap on an address selects it. Once it is copied, the selection is only in the way.
fn deselect(text: &str) {
    let Ok(Some(selection)) = window().get_selection() else { return };
    if String::from(selection.to_string()).split_whitespace().eq([text]) {
        let _ = selection.remove_all_ranges();
    }
}
