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

/// The languages of a screen. The sample has the longest words or right to left.
pub(crate) fn locales() -> Vec<&'static str> {
    if is_every_screen() { LOCALES.into_iter().chain(PSEUDO).collect() } else { in_turn(&PSEUDO) }
}

/// The themes of a screen on a device.
pub(crate) fn schemes(viewport: Viewport) -> impl Iterator<Item = Scheme> {
    views().into_iter().filter(move |(at, _)| at.width == viewport.width).map(|(_, scheme)| scheme)
}

/// The number of the run: `cargo xtask` counts commits.
const TURN: &str = "CHECKOUT_TURN";

/// All of them, or one that the turn of the run and the name of the test select.
pub(crate) fn in_turn<T: Copy>(all: &[T]) -> Vec<T> {
    share(all, all.len())
}

/// All of them, or one of `shares` equal parts.
pub(crate) fn share<T: Copy>(all: &[T], shares: usize) -> Vec<T> {
    if is_every_screen() {
        return all.to_vec();
    }
    let turn: usize = env::var(TURN).ok().and_then(|turn| turn.parse().ok()).unwrap_or_default();
    let name: usize = thread::current().name().map_or(0, |name| name.bytes().map(usize::from).sum());
    all.iter().copied().skip((turn + name) % shares).step_by(shares).collect()
}

/// What axe reads of a screen: light on a phone, dark on a desktop. Sizes do not depend on the theme, nor colours on the width.
const READ: [(Viewport, Scheme); 2] = [(PHONE, Scheme::Light), (DESKTOP, Scheme::Dark)];

pub(crate) fn is_read(viewport: Viewport, scheme: Scheme) -> bool {
    READ.iter().any(|(at, of)| at.width == viewport.width && *of == scheme)
}

/// The devices with the themes of a screen on them. The sample has one that axe reads.
pub(crate) fn views() -> Vec<(Viewport, Scheme)> {
    if !is_every_screen() {
        return in_turn(&READ);
    }
    [PHONE, DESKTOP].into_iter().flat_map(|viewport| Scheme::BOTH.map(|scheme| (viewport, scheme))).collect()
}
