//! The browsers and their WebDrivers, for the end-to-end tests: one of each engine.

use std::env;
use std::path::PathBuf;

use super::cargo_tool::geckodriver;
use super::system::Packages;
use crate::workspace::Workspace;
use crate::{Outcome, process};

/// A browser engine with the programs that its tests need. The end-to-end tests read the same variables.
pub(crate) struct Engine {
    /// The value of `CHECKOUT_ENGINE`.
    pub(crate) name: &'static str,
    programs: &'static [Program],
    packages: Packages,
}

struct Program {
    variable: &'static str,
    /// Names, and paths of what is not on the PATH.
    candidates: &'static [&'static str],
}

/// The variables of an engine's tests with the paths of its programs.
pub(crate) type Programs = Vec<(&'static str, PathBuf)>;

pub(crate) const ENGINE_VARIABLE: &str = "CHECKOUT_ENGINE";
pub(crate) const CHROMIUM_VARIABLE: &str = "CHECKOUT_CHROMIUM";
pub(crate) const FIREFOX_VARIABLE: &str = "CHECKOUT_FIREFOX";

pub(crate) const CHROMIUM: Engine = Engine {
    name: "chromium",
    programs: &[
        Program {
            variable: CHROMIUM_VARIABLE,
            candidates: &[
                "chromium",
                "chromium-browser",
                "google-chrome",
                "google-chrome-stable",
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
            ],
        },
        Program {
            variable: "CHECKOUT_CHROMEDRIVER",
            candidates: &[
                "chromedriver",
                "/usr/lib/chromium/chromedriver",
                "/usr/lib/chromium-browser/chromedriver",
            ],
        },
    ],
    packages: Packages {
        what: "Chromium and its driver",
        apt: &["chromium", "chromium-driver"],
        elsewhere: "see https://googlechromelabs.github.io/chrome-for-testing; or set CHECKOUT_CHROMIUM and CHECKOUT_CHROMEDRIVER",
    },
};

pub(crate) const FIREFOX: Engine = Engine {
    name: "firefox",
    programs: &[Program {
        variable: FIREFOX_VARIABLE,
        candidates: &["firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"],
    }],
    packages: Packages {
        what: "Firefox",
        apt: &["firefox-esr"],
        elsewhere: "see https://www.mozilla.org/firefox; or set CHECKOUT_FIREFOX to its path",
    },
};

pub(crate) const WEBKIT: Engine = Engine {
    name: "webkit",
    programs: &[
        Program { variable: "CHECKOUT_WEBKITDRIVER", candidates: &["WebKitWebDriver"] },
        Program {
            variable: "CHECKOUT_MINIBROWSER",
            candidates: &[
                "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
                "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
                "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
                "/usr/lib/webkit2gtk-4.1/MiniBrowser",
            ],
        },
        Program { variable: "CHECKOUT_XVFB", candidates: &["Xvfb"] },
    ],
    packages: Packages {
        what: "WebKitGTK with its driver, and a screen in memory",
        apt: &["libwebkit2gtk-4.1-0", "webkit2gtk-driver", "xvfb"],
        elsewhere: "see your system's packages of WebKitGTK 4.1, its driver and its MiniBrowser",
    },
};

/// Few systems package it.
const GECKODRIVER: Program = Program { variable: "CHECKOUT_GECKODRIVER", candidates: &["geckodriver"] };

/// Installs a browser engine, and returns its programs as the end-to-end tests read them.
pub(crate) fn for_browser_tests(workspace: &Workspace, engine: &Engine) -> Outcome<Programs> {
    let found = || -> Outcome<Option<Programs>> {
        let path = |program: &Program| Ok(program.find()?.map(|path| (program.variable, path)));
        engine.programs.iter().map(path).collect()
    };
    if found()?.is_none() {
        let is_there = || matches!(found(), Ok(Some(_)));
        engine.packages.ensure("the end-to-end tests pay in a real browser", is_there)?;
    }
    let mut programs = found()?.unwrap_or_default();
    if engine.name == FIREFOX.name {
        let driver = GECKODRIVER.find()?.map_or_else(|| geckodriver(workspace), Ok)?;
        programs.push((GECKODRIVER.variable, driver));
    }
    Ok(programs)
}

impl Program {
    /// The variable's path, or the first candidate.
    fn find(&self) -> Outcome<Option<PathBuf>> {
        match env::var_os(self.variable).filter(|value| !value.is_empty()).map(PathBuf::from) {
            Some(path) if path.is_file() => Ok(Some(path)),
            Some(path) => {
                Err(format!("{} is {}, where there is no such file.", self.variable, path.display()))
            }
            None => Ok(self.candidates.iter().find_map(|candidate| process::on_path(candidate))),
        }
    }
}
