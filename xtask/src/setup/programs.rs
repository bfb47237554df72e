//! Programs of the operating system that tests start: browsers, databases, nodes, interpreters, compilers.

use std::process::Command;

use super::cargo_tool::{self, cargo_tool};
use super::needed::{Needed, Program, Programs, cached, find};
use crate::workspace::Workspace;
use crate::{Outcome, process};

/// A browser engine. The end-to-end tests read the same variables.
pub(crate) struct Engine {
    /// The value of `CHECKOUT_ENGINE`.
    pub(crate) name: &'static str,
    needed: Needed,
}

pub(crate) const ENGINE_VARIABLE: &str = "CHECKOUT_ENGINE";
pub(crate) const CHROMIUM_VARIABLE: &str = "CHECKOUT_CHROMIUM";
pub(crate) const FIREFOX_VARIABLE: &str = "CHECKOUT_FIREFOX";

const IN_A_BROWSER: &str = "the end-to-end tests pay in a real browser";

#[rustfmt::skip]
pub(crate) const CHROMIUM: Engine = Engine { name: "chromium", needed: Needed {
    what: "Chromium and its driver", why: IN_A_BROWSER, apt: &["chromium", "chromium-driver"],
    programs: &[
        (CHROMIUM_VARIABLE, &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"]),
        ("CHECKOUT_CHROMEDRIVER", &["chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver"]),
    ],
} };

#[rustfmt::skip]
pub(crate) const FIREFOX: Engine = Engine { name: "firefox", needed: Needed {
    what: "Firefox", why: IN_A_BROWSER, apt: &["firefox-esr"],
    programs: &[(FIREFOX_VARIABLE, &["firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"])],
} };

#[rustfmt::skip]
pub(crate) const WEBKIT: Engine = Engine { name: "webkit", needed: Needed {
    what: "WebKitGTK with its driver, and a screen in memory", why: IN_A_BROWSER,
    apt: &["libwebkit2gtk-4.1-0", "webkit2gtk-driver", "xvfb", "xauth"],
    programs: &[
        ("CHECKOUT_WEBKITDRIVER", &["WebKitWebDriver"]),
        ("CHECKOUT_MINIBROWSER", &["/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
            "/usr/libexec/webkit2gtk-4.1/MiniBrowser", "/usr/lib/webkit2gtk-4.1/MiniBrowser"]),
        ("CHECKOUT_XVFB", &["Xvfb"]),
        ("CHECKOUT_XVFB_RUN", &["xvfb-run"]),
        ("CHECKOUT_XAUTH", &["xauth"]),
    ],
} };

/// Few systems package it.
const GECKODRIVER: Program = ("CHECKOUT_GECKODRIVER", &["geckodriver"]);

/// The tests of the gateway start it in a temporary folder.
const POSTGRES: Needed = Needed {
    what: "PostgreSQL",
    why: "the gateway is tested with both databases",
    apt: &["postgresql"],
    programs: &[],
};

/// The Debian package installs the binary there, and a wrapper on the path.
const LITECOIND: Needed = Needed {
    what: "litecoind",
    why: "the gateway is tested with a real node",
    apt: &["litecoind"],
    programs: &[("CHECKOUT_TEST_LITECOIND", &["/usr/lib/litecoin/litecoind", "litecoind"])],
};

const BITCOIND: Program = ("CHECKOUT_TEST_BITCOIND", &["bitcoind"]);

pub(crate) const PHP: Needed = Needed {
    what: "PHP with ext-ffi",
    why: "the core's PHP package is tested with it",
    apt: &["php-cli"],
    programs: &[("", &["php"])],
};

/// The C compiler of Debian's musl-tools and of other distributions.
pub(crate) const MUSL_COMPILER: &str = "musl-gcc";

pub(crate) const MUSL: Needed = Needed {
    what: "musl with its compiler",
    why: "static binaries are linked with musl",
    apt: &["musl-tools"],
    programs: &[("", &[MUSL_COMPILER])],
};

/// libFuzzer is built from the sources in a crate.
pub(crate) const CXX_COMPILER: Needed = Needed {
    what: "a C++ compiler (`c++`)",
    why: "libFuzzer is compiled with it",
    apt: &["g++"],
    programs: &[("CXX", &["c++", "g++", "clang++"])],
};

/// Installs a browser engine, and returns its programs as the end-to-end tests read them.
pub(crate) fn for_browser_tests(workspace: &Workspace, engine: &Engine) -> Outcome<Programs> {
    let mut programs = engine.needed.ensure()?;
    if engine.name == FIREFOX.name {
        let driver =
            find(&GECKODRIVER)?.map_or_else(|| cargo_tool(workspace, &cargo_tool::GECKODRIVER), Ok)?;
        programs.insert(GECKODRIVER.0, driver);
    }
    Ok(programs)
}

pub(crate) fn postgres() -> Outcome<()> {
    POSTGRES.ensure_that(|| Ok(checkout_test_postgres::is_there()))
}

/// Installs the nodes that the tests of the chains start in temporary folders, which look into the same folder of the cache for
/// bitcoind (`tests/nodes`).
pub(crate) fn nodes(workspace: &Workspace) -> Outcome<()> {
    LITECOIND.ensure()?;
    println!("NOT TESTED: no package of a Bitcoin Cash node is available; a double follows its source.");
    if find(&BITCOIND)?.is_some() {
        return Ok(());
    }
    let folder = workspace.tools.join("bitcoind");
    let why = "the gateway is tested with a real node of Bitcoin";
    let by_hand = "take Bitcoin Core from https://bitcoincore.org, and set CHECKOUT_TEST_BITCOIND to the path of bitcoind";
    cached(folder.clone(), "bitcoind (Debian's bitcoin-knots)", why, by_hand, |partial| {
        let script = ["-c", include_str!("bitcoind.sh"), "bitcoind.sh"];
        process::run(Command::new("sh").args(script).args([partial, &folder]))
    })
    .map(|_| ())
}
