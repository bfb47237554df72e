//! Starts the page: reads the URL, then uses the server's data or asks for the payment.

use super::answer;
use super::follow::follow;
use crate::connection::Purpose;
use crate::effect::Effect;
use crate::page::Page;
use crate::page_data::{Found, PageData};
use crate::page_url::{Chosen, PageUrl};
use crate::screen::Problem;
use crate::state::{Choosing, State};

pub(super) fn start(page: &mut Page, url: PageUrl, given: Option<Box<PageData>>, effects: &mut Vec<Effect>) {
    effects.push(Effect::SetTheme(url.theme()));
    effects.extend(url.with_token_in_query().map(Effect::ShowAddress));
    let shared = &mut page.shared;
    shared.session = url.session();
    shared.url = url;
    shared.connection.due = Some(shared.now);
    if shared.session.is_none() {
        shared.connection.due = None;
        return answer::fail(page, Problem::Link, None);
    }
    if let Some(given) = given {
        // The server read its clock between the opening of the page and now.
        shared.clock.learn(0, shared.now, given.server_time);
        match given.found {
            Found::View(view) => {
                answer::opened(page, *view, None);
                resume_choice(page);
            }
            Found::Nothing => answer::refused(page, Purpose::Open, None),
            Found::Unavailable => answer::unanswered(page, Purpose::Open, None),
        }
    }
}

/// Restores the choice that a page without scripts stores in its URL.
fn resume_choice(page: &mut Page) {
    let Some(opened) = &page.shared.opened else { return };
    let url = &page.shared.url;
    let currency = match url.chosen() {
        Some(Chosen::Currency(currency)) if opened.offers_of(currency).count() > 1 => Some(Some(currency)),
        Some(Chosen::List) => Some(None),
        _ => None,
    };
    let notice = url.notice();
    if let (Some(currency), State::Choosing(_) | State::Paying(_) | State::Expired(_)) =
        (currency, &page.state)
    {
        page.state = State::Choosing(Choosing { currency, again: true, ..Choosing::default() });
        follow(page);
    }
    if let Some(request) = page.state.request_mut() {
        request.notice = notice;
    }
}
