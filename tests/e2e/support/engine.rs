//! The browser engines. `CHECKOUT_ENGINE` names the one of this run.

use std::env;

use serde_json::{Value, json};

use super::places;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

/// The names that `CHECKOUT_ENGINE` takes.
const NAMES: [(&str, Engine); 3] =
    [("chromium", Engine::Chromium), ("firefox", Engine::Firefox), ("webkit", Engine::WebKit)];

const CHROMIUM_FLAGS: [&str; 10] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,900",
];

impl Engine {
    /// The engine of this run: Chromium unless `CHECKOUT_ENGINE` names another one.
    pub(crate) fn current() -> Self {
        let name = env::var("CHECKOUT_ENGINE").unwrap_or_else(|_| NAMES[0].0.to_owned());
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("CHECKOUT_ENGINE is {name:?}; the engines are {NAMES:?}")).1
    }

    /// The capabilities of a new session. `profile` is an empty folder.
    pub(crate) fn capabilities(self, profile: &str) -> Value {
        match self {
            Self::Chromium => {
                let profile = format!("--user-data-dir={profile}");
                let flags: Vec<&str> = CHROMIUM_FLAGS.into_iter().chain([profile.as_str()]).collect();
                json!({
                    "browserName": "chrome",
                    "pageLoadStrategy": "eager",
                    "goog:loggingPrefs": {"browser": "ALL"},
                    "goog:chromeOptions": {"binary": places::chromium(), "args": flags},
                })
            }
            // geckodriver makes the profile.
            Self::Firefox => json!({
                "browserName": "firefox",
                "pageLoadStrategy": "eager",
                "moz:firefoxOptions": {"binary": places::firefox(), "args": ["-headless"]},
            }),
            // Its driver misses that a page has loaded, and then waits for ever: `Browser` waits itself.
            Self::WebKit => json!({
                "browserName": "MiniBrowser",
                "pageLoadStrategy": "none",
                "webkitgtk:browserOptions": {"binary": places::mini_browser(), "args": ["--automation"]},
            }),
        }
    }
}
