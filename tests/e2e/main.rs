//! End-to-end tests: the real gateway, the real pages, a real browser.
//!
//! Every journey has its own gateway on a free port with an empty database, and its own browser profile.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `CHECKOUT_BIN` | the gateway to test | `checkout` in the same target folder as this test |
//! | `CHECKOUT_AXE` | `axe.min.js` of axe-core, for the screens | none |
//! | `CHECKOUT_SCREENSHOTS` | folder for screenshots | `target/screenshots` |
//! | `CHECKOUT_CHROMIUM`, `CHECKOUT_CHROMEDRIVER` | the browser and its driver | the first one on `PATH` |

mod examples;
mod journeys;
mod support;
