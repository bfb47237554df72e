//! The payer chooses a currency and a network.

use checkout_core::wire::PaymentStatus;
use checkout_core::{Currency, Network, Pair};

use crate::connection::Purpose;
use crate::effect::{Call, Effect};
use crate::state::{Screen, State};

pub(super) fn currency(state: &mut State, currency: Currency, effects: &mut Vec<Effect>) {
    if state.screen() != Screen::Choose {
        return;
    }
    let Some(open) = &mut state.open else { return };
    if open.asking.is_some() {
        return;
    }
    open.notice = None;
    let mut offers = open.offers_of(currency);
    match (offers.next().map(|offer| offer.pair), offers.next()) {
        (Some(pair), None) => {
            drop(offers);
            ask(state, pair, effects);
        }
        (Some(_), Some(_)) => {
            drop(offers);
            open.chosen = Some(currency);
        }
        (None, _) => {}
    }
}

pub(super) fn network(state: &mut State, network: Network, effects: &mut Vec<Effect>) {
    let Some(open) = &state.open else { return };
    let Some(currency) = open.chosen.filter(|_| open.asking.is_none()) else { return };
    if let Some(pair) = open.offer(currency, network).map(|offer| offer.pair) {
        ask(state, pair, effects);
    }
}

pub(super) fn back(state: &mut State) {
    let Some(open) = &mut state.open else { return };
    if open.asking.is_some() {
        return;
    }
    open.notice = None;
    if open.chosen.take().is_none() {
        open.choosing_again = false;
    }
}

/// Opens the choice again; possible until a deposit is seen.
pub(super) fn again(state: &mut State) {
    let pays = state.screen() == Screen::Pay;
    let Some(open) = &mut state.open else { return };
    if pays && open.offers.len() > 1 {
        (open.choosing_again, open.chosen, open.notice) = (true, None, None);
    }
}

/// Asks for a new quote for the same choice; shows the list if there was no choice.
pub(super) fn renew(state: &mut State, effects: &mut Vec<Effect>) {
    if state.screen() != Screen::Expired {
        return;
    }
    let Some(open) = &mut state.open else { return };
    if open.asking.is_some() {
        return;
    }
    let pair = match (&open.quote, open.offers.as_slice()) {
        (Some(quote), _) => quote.pair,
        (None, [only]) => only.pair,
        (None, _) => {
            (open.choosing_again, open.chosen) = (true, None);
            return;
        }
    };
    ask(state, pair, effects);
}

/// Asks the gateway for the address and the exact amount.
pub(super) fn ask(state: &mut State, pair: &'static Pair, effects: &mut Vec<Effect>) {
    let status = state.open.as_ref().map(|open| &open.payment.status);
    let may = matches!(status, Some(PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Expired));
    let (Some(open), Some(session), true) = (&mut state.open, &state.session, may) else { return };
    (open.asking, open.notice) = (Some(pair), None);
    // Both are codes from the core's tables: nothing in them needs escaping.
    let (currency, network) = (pair.currency.code(), pair.network.code());
    effects.push(Effect::Call(Call {
        id: state.connection.start(Purpose::Quote, state.now),
        purpose: Purpose::Quote,
        method: "PATCH",
        path: [&session.base, "/api/v1/payments/", &session.payment_id].concat(),
        token: session.token.clone(),
        etag: None,
        body: Some(["{\"depositCurrency\":\"", currency, "\",\"network\":\"", network, "\"}"].concat()),
    }));
}
