//! End-to-end tests: the real gateway, the real pages, a real browser.
//!
//! Every journey has its own gateway on a free port with an empty database, and a new tab. In Chromium and
//! Firefox a browser serves one journey after the other.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `CHECKOUT_BIN` | the gateway to test | `checkout` in the same target folder as this test |
//! | `CHECKOUT_AXE` | `axe.min.js` of axe-core, for the screens | none |
//! | `CHECKOUT_SCREENSHOTS` | folder for screenshots | `target/screenshots` |
//! | `CHECKOUT_ENGINE` | `chromium`, `firefox` or `webkit`: the browser of the journeys | `chromium` |
//! | `CHECKOUT_CHROMIUM`, `CHECKOUT_CHROMEDRIVER`; `CHECKOUT_FIREFOX`, `CHECKOUT_GECKODRIVER`; `CHECKOUT_WEBKITDRIVER`, `CHECKOUT_MINIBROWSER`, `CHECKOUT_XVFB` | the browsers and what drives them | the first one on `PATH` |
//! | `CHECKOUT_ANVIL` | anvil, for the journey on Ethereum | the first one on `PATH` |
//!
//! `journeys/` holds in every engine. `devtools/` needs Chromium.

mod devtools;
mod documented;
mod examples;
mod journeys;
mod on_chain;
mod support;
