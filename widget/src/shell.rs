//! The loop: an event, a step, its effects, the new view model. One file per kind of effect.

mod call;
mod clipboard;
mod document;
mod draw;
mod format;
mod host;
mod js;
mod json;
mod listen;
mod wait;

use std::cell::RefCell;
use std::collections::VecDeque;

use leptos::prelude::{ArcTrigger, Notify};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{Document, HtmlElement, Window};

use crate::clock::Millis;
use crate::effect::Effect;
use crate::event::{Event, What};
use crate::present::{ViewModel, present};
use crate::state::State;
use crate::step::step;
use crate::view;
use crate::view::node::Element;

/// The element of the page in which the checkout stands.
const MOUNT: &str = "checkout";

struct Shell {
    /// `None` only while a step runs.
    state: Option<State>,
    queue: VecDeque<Event>,
    /// What is to be drawn next.
    model: Option<ViewModel>,
    changed: ArcTrigger,
}

thread_local! {
    static SHELL: RefCell<Option<Shell>> = const { RefCell::new(None) };
}

#[wasm_bindgen(start)]
pub(crate) fn start() {
    #[cfg(debug_assertions)]
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
    let Some(mount) = document().get_element_by_id(MOUNT).and_then(|e| e.dyn_into::<HtmlElement>().ok())
    else {
        return;
    };
    let state = State::new(document::seed());
    let model = Some(see(&state));
    let changed = ArcTrigger::new();
    SHELL.set(Some(Shell { state: Some(state), queue: VecDeque::new(), model, changed: changed.clone() }));
    mount.set_inner_html("");
    draw::mount(&mount, changed, page);
    listen::listen(&mount);
    dispatch(What::Started(document::place()));
}

/// Something happened. Events that effects raise at once wait for their turn.
pub(crate) fn dispatch(what: What) {
    let event = Event { at: now(), what };
    let idle = SHELL.with_borrow_mut(|shell| {
        let shell = shell.as_mut()?;
        shell.queue.push_back(event);
        shell.state.take()
    });
    let Some(mut state) = idle else { return };
    while let Some(event) = SHELL.with_borrow_mut(|shell| shell.as_mut()?.queue.pop_front()) {
        let (next, effects) = step(state, event);
        state = next;
        effects.into_iter().for_each(run);
    }
    let model = see(&state);
    document::name(&model.page_title, model.lang);
    let changed = SHELL.with_borrow_mut(|shell| {
        let shell = shell.as_mut()?;
        (shell.state, shell.model) = (Some(state), Some(model));
        Some(shell.changed.clone())
    });
    if let Some(changed) = changed {
        changed.notify();
    }
}

fn see(state: &State) -> ViewModel {
    present(state, &format::Browser::new(crate::words::locale(state.locale.as_deref()).tag))
}

/// The page as it is to be drawn next.
fn page() -> Option<Element> {
    SHELL.with_borrow_mut(|shell| shell.as_mut()?.model.take()).map(view::draw)
}

fn run(effect: Effect) {
    match effect {
        Effect::Call(call) => call::call(call),
        Effect::Wake { after } => wait::wake(after),
        Effect::ShowAddress(address) => document::show_address(&address),
        Effect::SetTheme(theme) => document::set_theme(theme),
        Effect::Copy { field, text } => clipboard::copy(field, text),
        Effect::Tell { peer, message } => host::tell(&peer, message),
        Effect::Focus { asked } => document::focus(asked),
        Effect::Leave(url) => document::leave(&url),
        Effect::Reload => document::reload(),
    }
}

fn window() -> Window {
    js_sys::global().unchecked_into()
}

fn document() -> Document {
    js::get(&window(), "document").unchecked_into()
}

/// Milliseconds since the page was opened.
fn now() -> Millis {
    let now = js::call(&js::get(&window(), "performance"), "now", []);
    whole(now.and_then(|now| now.as_f64()).unwrap_or_default())
}

/// A number of JavaScript as a whole one, rounded down; negative ones are zero.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, which is meant"
)]
fn whole(number: f64) -> u64 {
    number as u64
}
