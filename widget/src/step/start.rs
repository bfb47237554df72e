//! The page starts: read the address, hide the token, ask for the payment.

use crate::effect::Effect;
use crate::place::Place;
use crate::state::{Problem, State};

pub(super) fn start(state: &mut State, place: Place, effects: &mut Vec<Effect>) {
    effects.push(Effect::SetTheme(place.theme()));
    effects.extend(place.without_token().map(Effect::ShowAddress));
    state.session = place.session();
    state.locale = place.locale().map(ToOwned::to_owned);
    state.place = place;
    state.line.due = Some(state.now);
    if state.session.is_none() {
        state.problem = Some(Problem::Link);
        state.line.due = None;
    }
}
