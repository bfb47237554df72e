//! How much of the screens the journeys look at, and in front of how many servers.

use std::{env, thread};

use checkout_wire::LOCALES;

use super::browser::{DESKTOP, PHONE, Scheme, Viewport};
use super::languages::PSEUDO;

/// `every` for each screen in all its languages, sizes and themes; without it a sample of them.
const VARIABLE: &str = "CHECKOUT_SCREENS";

pub(crate) fn is_every_screen() -> bool {
    env::var(VARIABLE).is_ok_and(|extent| extent == "every")
}

/// The languages of a screen. The sample has the longest words, and right to left.
pub(crate) fn locales() -> impl Iterator<Item = &'static str> {
    let real = LOCALES.into_iter().filter(|_| is_every_screen());
    real.chain(PSEUDO)
}

/// The themes of a screen on a device. The sample has each device and each theme once, which is what axe reads: sizes do
/// not depend on the theme, nor colours on the width.
pub(crate) fn schemes(viewport: Viewport) -> impl Iterator<Item = Scheme> {
    Scheme::BOTH.into_iter().filter(move |scheme| is_every_screen() || is_sampled(viewport, *scheme))
}

/// The number of the run: `cargo xtask` counts commits.
const TURN: &str = "CHECKOUT_TURN";

/// All of them, or one that the turn of the run and the name of the test select.
pub(crate) fn in_turn<T: Copy>(all: &[T]) -> Vec<T> {
    if is_every_screen() {
        return all.to_vec();
    }
    let turn: usize = env::var(TURN).ok().and_then(|turn| turn.parse().ok()).unwrap_or_default();
    let name: usize = thread::current().name().map_or(0, |name| name.bytes().map(usize::from).sum());
    vec![all[(turn + name) % all.len()]]
}

/// Light on a phone, dark on a desktop.
pub(crate) fn is_sampled(viewport: Viewport, scheme: Scheme) -> bool {
    viewport.phone == (scheme == Scheme::Light)
}

/// The devices with the themes of a screen on them.
pub(crate) fn views() -> impl Iterator<Item = (Viewport, Scheme)> {
    [PHONE, DESKTOP].into_iter().flat_map(|viewport| schemes(viewport).map(move |scheme| (viewport, scheme)))
}
