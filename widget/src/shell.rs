//! The loop in the browser: an event, a step, its effects, the new view model. One file per kind of effect.

mod clipboard;
mod document;
mod format;
mod host;
mod listen;
mod request;
mod takeover;
#[cfg(test)]
mod tests;
mod timer;

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;

use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};
use web_sys::HtmlElement;

use crate::checkout::Checkout;
use crate::clock::Millis;
use crate::effect::Effect;
use crate::event::{Event, What};
use crate::page::Page;
use crate::present::{ViewModel, present};
use crate::step::step;
use crate::words::Language;

/// The id of the element that contains the checkout.
const MOUNT: &str = "checkout";

struct Shell {
    /// `None` only while a step runs.
    page: Option<Page>,
    queue: VecDeque<Event>,
    language: Language,
    model: RwSignal<ViewModel>,
}

thread_local! {
    static SHELL: RefCell<Option<Shell>> = const { RefCell::new(None) };
    /// Takes the checkout from the page when it is dropped.
    static DRAWN: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Renders the checkout in place of the server's markup. `www/checkout.js` calls it while no pointer button
/// is pressed. Fails on a page of another version, whose texts this module cannot read.
#[wasm_bindgen]
#[expect(unreachable_pub, reason = "wasm-bindgen exports public functions only")]
pub fn start() -> Result<(), JsError> {
    #[cfg(all(debug_assertions, not(test)))]
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
    let element = document().get_element_by_id(MOUNT);
    let mount = element.and_then(|element| element.dyn_into::<HtmlElement>().ok());
    let mount = mount.ok_or_else(|| JsError::new("the page has no place for the checkout"))?;
    let mut given = document::page_data().ok_or_else(|| JsError::new("the page has no data"))?;
    let language = core::mem::take(&mut given.language).read();
    let language = language.ok_or_else(|| JsError::new("the page has the texts of another version"))?;
    let page = Page::new(document::seed());
    // The owner lives as long as the page.
    let owner = Owner::new();
    let model = owner.with(|| RwSignal::new(see(&page, &language)));
    core::mem::forget(owner);
    SHELL.set(Some(Shell { page: Some(page), queue: VecDeque::new(), language, model }));
    dispatch(What::Started { url: document::page_url(), given: Some(given) });
    draw(&mount, model);
    listen::listen(&mount);
    listen::find_wallet(true);
    Ok(())
}

/// In place of what the page shows.
fn draw(mount: &HtmlElement, model: RwSignal<ViewModel>) {
    let held = takeover::Preserved::read(mount);
    drop(DRAWN.take());
    mount.set_inner_html("");
    let act = |act| dispatch(What::Did { act, pressed: listen::pressed() });
    let drawn = mount_to(mount.clone(), move || view! { <Checkout model=model dispatch=act /> });
    DRAWN.set(Some(Box::new(drawn)));
    held.restore(mount);
}

/// A browser that translates puts its own elements in the place of texts, which then no longer change.
fn translated() -> Option<HtmlElement> {
    let mount = document().get_element_by_id(MOUNT)?;
    mount.query_selector("font").ok()??;
    mount.dyn_into().ok()
}

/// Handles an event. Events that effects raise during a step are queued.
pub(crate) fn dispatch(what: What) {
    let event = Event { at: now(), what };
    let idle = SHELL.with_borrow_mut(|shell| {
        let shell = shell.as_mut()?;
        shell.queue.push_back(event);
        shell.page.take().map(|page| (page, shell.language, shell.model))
    });
    let Some((mut page, language, shown)) = idle else { return };
    while let Some(event) = SHELL.with_borrow_mut(|shell| shell.as_mut()?.queue.pop_front()) {
        let (next, effects) = step(page, event);
        page = next;
        effects.into_iter().for_each(run);
    }
    let model = see(&page, &language);
    document::name(&model.page_title);
    SHELL.with_borrow_mut(|shell| {
        if let Some(shell) = shell {
            shell.page = Some(page);
        }
    });
    let is_new = shown.with_untracked(|old| !model.differs_in_countdown_alone(old));
    shown.set(model);
    if let Some(mount) = translated().filter(|_| is_new) {
        draw(&mount, shown);
    }
}

fn see(page: &Page, language: &Language) -> ViewModel {
    present(page, language, &format::Browser::new(language.tag))
}

fn run(effect: Effect) {
    match effect {
        Effect::Call(call) => request::send(call),
        Effect::Wake { after } => timer::wake(after),
        Effect::ShowAddress(address) => document::show_address(&address),
        Effect::ReportPaint => timer::report_paint(),
        Effect::SetTheme(theme) => document::set_theme(theme),
        Effect::Copy { field, text } => clipboard::copy(field, text),
        Effect::TellHost { peer, event } => host::tell(&peer, &event),
        Effect::Focus { asked } => document::focus(asked),
        Effect::Leave(url) => document::leave(&url),
        Effect::OpenWallet(url) => document::open_wallet(&url),
        Effect::Print => document::print(),
        Effect::Share { title, text } => document::share(&title, &text),
        Effect::Reload => document::reload(),
    }
}

/// Milliseconds since the page was opened.
fn now() -> Millis {
    window().performance().map_or(0, |performance| whole(performance.now()))
}

/// Converts a JavaScript number to an integer, rounded down; negative numbers become zero.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates as intended")]
fn whole(number: f64) -> u64 {
    number as u64
}
