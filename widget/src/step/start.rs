//! Starts the page: reads the URL, then uses the server's data or asks for the payment.

use super::answer;
use crate::connection::Purpose;
use crate::effect::Effect;
use crate::page_data::{Found, PageData};
use crate::page_url::{Chosen, PageUrl};
use crate::state::{Problem, Screen, State};

pub(super) fn start(
    state: &mut State,
    url: PageUrl,
    given: Option<Box<PageData>>,
    effects: &mut Vec<Effect>,
) {
    effects.push(Effect::SetTheme(url.theme()));
    effects.extend(url.with_token_in_query().map(Effect::ShowAddress));
    state.session = url.session();
    state.locale = url.locale().map(ToOwned::to_owned);
    state.url = url;
    state.connection.due = Some(state.now);
    if state.session.is_none() {
        state.problem = Some(Problem::Link);
        state.connection.due = None;
        return;
    }
    if let Some(given) = given {
        // The server read its clock between the opening of the page and now.
        state.clock.learn(0, state.now, given.server_time);
        match given.found {
            Found::View(view) => {
                answer::opened(state, *view);
                resume_choice(state);
            }
            Found::Nothing => answer::refused(state, Purpose::Open, None),
            Found::Unavailable => answer::unanswered(state, Purpose::Open, None),
        }
    }
}

/// Restores the choice that a page without script stores in its URL.
fn resume_choice(state: &mut State) {
    let chosen = state.url.chosen();
    let may_choose = matches!(state.screen(), Screen::Choose | Screen::Pay | Screen::Expired);
    let Some(open) = state.open.as_mut().filter(|_| may_choose) else { return };
    open.notice = state.url.notice();
    match chosen {
        Some(Chosen::Currency(currency)) if open.offers_of(currency).count() > 1 => {
            (open.choosing_again, open.chosen) = (true, Some(currency));
        }
        Some(Chosen::List) => open.choosing_again = true,
        _ => {}
    }
}
