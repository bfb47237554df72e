//! The payer chooses a currency and a network.

use checkout_core::{Currency, Network, Pair};

use crate::connection::Purpose;
use crate::effect::{Call, Effect};
use crate::page::{Page, Shared};
use crate::state::{Choosing, State};

use super::follow::follow_anew;

pub(super) fn currency(page: &mut Page, currency: Currency, effects: &mut Vec<Effect>) {
    let (State::Choosing(choosing), Some(opened)) = (&mut page.state, &page.shared.opened) else { return };
    if choosing.request.asking.is_some() {
        return;
    }
    choosing.request.notice = None;
    let mut offers = opened.offers_of(currency);
    match (offers.next(), offers.next()) {
        (Some(only), None) => {
            let pair = only.pair;
            drop(offers);
            ask(page, pair, effects);
        }
        (Some(_), Some(_)) => choosing.currency = Some(currency),
        (None, _) => {}
    }
}

pub(super) fn network(page: &mut Page, network: Network, effects: &mut Vec<Effect>) {
    let (State::Choosing(choosing), Some(opened)) = (&page.state, &page.shared.opened) else { return };
    let Some(currency) = choosing.currency.filter(|_| choosing.request.asking.is_none()) else { return };
    if let Some(pair) = opened.offer(currency, network).map(|offer| offer.pair) {
        ask(page, pair, effects);
    }
}

/// From the networks to the currencies, or from the list to the screen of the payment.
pub(super) fn back(page: &mut Page) {
    let State::Choosing(choosing) = &mut page.state else { return };
    if choosing.request.asking.is_some() {
        return;
    }
    choosing.request.notice = None;
    if choosing.currency.take().is_none() && choosing.again {
        follow_anew(page);
    }
}

/// Reopens the choice; possible until a deposit is seen.
pub(super) fn again(page: &mut Page) {
    let State::Paying(paying) = &page.state else { return };
    let several = page.shared.opened.as_ref().is_some_and(|opened| opened.offers.len() > 1);
    if paying.arrived.is_none() && several {
        page.state = State::Choosing(Choosing { again: true, ..Choosing::default() });
    }
}

/// Requests a new quote for the same choice; shows the list if there was no choice.
pub(super) fn renew(page: &mut Page, effects: &mut Vec<Effect>) {
    let (State::Expired(expired), Some(opened)) = (&page.state, &page.shared.opened) else { return };
    if expired.request.asking.is_some() {
        return;
    }
    match (&expired.quote, opened.offers.as_slice()) {
        (Some(quote), _) => ask(page, quote.pair, effects),
        (None, [only]) => ask(page, only.pair, effects),
        (None, _) => page.state = State::Choosing(Choosing { again: true, ..Choosing::default() }),
    }
}

/// Requests the address and the exact amount from the gateway.
pub(super) fn ask(page: &mut Page, pair: &'static Pair, effects: &mut Vec<Effect>) {
    let may = page.shared.opened.as_ref().is_some_and(crate::opened::Opened::may_choose);
    let (Some(choice), true) = (page.state.request_mut(), may) else { return };
    (choice.asking, choice.notice) = (Some(pair), None);
    request(&mut page.shared, pair, effects);
}

pub(super) fn request(shared: &mut Shared, pair: &Pair, effects: &mut Vec<Effect>) {
    let Some(session) = &shared.session else { return };
    // Both are codes from the core's tables, which need no escaping.
    let (currency, network) = (pair.currency.code(), pair.network.code());
    effects.push(Effect::Call(Call {
        id: shared.connection.start(Purpose::Quote, shared.now),
        purpose: Purpose::Quote,
        method: "PATCH",
        path: [&session.base, "/api/v1/payments/", &session.payment_id].concat(),
        token: session.token.clone(),
        etag: None,
        body: Some(["{\"depositCurrency\":\"", currency, "\",\"network\":\"", network, "\"}"].concat()),
    }));
}
