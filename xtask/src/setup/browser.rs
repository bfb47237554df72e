//! The browsers and their WebDrivers, for the end-to-end tests: one of each engine.

use std::env;
use std::path::{Path, PathBuf};

use super::cargo_tool::cargo_tool;
use super::system::Packages;
use crate::outcome::Outcome;
use crate::process;
use crate::workspace::Workspace;

/// A browser engine with the programs that its tests need. The end-to-end tests read the same variables.
pub(crate) struct Engine {
    /// The value of `CHECKOUT_ENGINE`.
    pub(crate) name: &'static str,
    programs: &'static [Program],
    packages: Packages,
}

struct Program {
    variable: &'static str,
    candidates: &'static [&'static str],
}

/// The variables of an engine's tests with the paths of its programs.
pub(crate) type Programs = Vec<(&'static str, PathBuf)>;

pub(crate) const ENGINE_VARIABLE: &str = "CHECKOUT_ENGINE";
pub(crate) const CHROMIUM_VARIABLE: &str = "CHECKOUT_CHROMIUM";
pub(crate) const FIREFOX_VARIABLE: &str = "CHECKOUT_FIREFOX";
const CHROMEDRIVER_VARIABLE: &str = "CHECKOUT_CHROMEDRIVER";
const GECKODRIVER_VARIABLE: &str = "CHECKOUT_GECKODRIVER";
const GECKODRIVER_VERSION: &str = "0.37.1";

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
            variable: CHROMEDRIVER_VARIABLE,
            candidates: &[
                "chromedriver",
                "/usr/lib/chromium/chromedriver",
                "/usr/lib/chromium-browser/chromedriver",
            ],
        },
    ],
    packages: Packages::of_debian(
        "Chromium and its driver",
        &["chromium", "chromium-driver"],
        "https://googlechromelabs.github.io/chrome-for-testing/ has both",
    ),
};

pub(crate) const FIREFOX: Engine = Engine {
    name: "firefox",
    programs: &[Program {
        variable: FIREFOX_VARIABLE,
        candidates: &["firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"],
    }],
    packages: Packages::of_debian(
        "Firefox",
        &["firefox-esr"],
        "https://www.mozilla.org/firefox has it for every system",
    ),
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
    packages: Packages::of_debian(
        "WebKitGTK with its driver, and a screen in memory",
        &["libwebkit2gtk-4.1-0", "webkit2gtk-driver", "xvfb"],
        "WebKitGTK 4.1 with its driver and MiniBrowser are in the packages of most Linux systems",
    ),
};

/// Finds the programs of an engine; installs them when one is missing.
pub(crate) fn find_or_install(workspace: &Workspace, engine: &Engine) -> Outcome<Programs> {
    if find(engine)?.is_err() {
        install(engine)?;
    }
    let mut programs = find(engine)?.map_err(|missing| {
        format!(
            "{} were installed, but there is still none of {}. Set {} to its path.",
            engine.packages.what,
            missing.candidates.join(", "),
            missing.variable
        )
    })?;
    match programs.as_slice() {
        [(CHROMIUM_VARIABLE, browser), (_, driver)] => same_version(browser, driver)?,
        [(FIREFOX_VARIABLE, _)] => {
            programs.push((GECKODRIVER_VARIABLE, geckodriver(workspace)?));
        }
        _ => {}
    }
    Ok(programs)
}

/// The programs, or the first that is missing.
fn find(engine: &Engine) -> Outcome<Result<Programs, &'static Program>> {
    let mut programs = Vec::new();
    for program in engine.programs {
        match configured(program.variable)?.or_else(|| first(program.candidates)) {
            Some(path) => programs.push((program.variable, path)),
            None => return Ok(Err(program)),
        }
    }
    Ok(Ok(programs))
}

fn configured(variable: &str) -> Outcome<Option<PathBuf>> {
    match env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from) {
        Some(path) if path.is_file() => Ok(Some(path)),
        Some(path) => Err(format!("{variable} is set to {}, where there is no such file.", path.display())),
        None => Ok(None),
    }
}

fn first(candidates: &[&str]) -> Option<PathBuf> {
    candidates.iter().find_map(|candidate| {
        if Path::new(candidate).is_absolute() {
            Some(PathBuf::from(candidate)).filter(|path| path.is_file())
        } else {
            process::on_path(candidate)
        }
    })
}

/// Compares the major versions: a driver refuses a browser of a different one with an unclear message.
fn same_version(chromium: &Path, chromedriver: &Path) -> Outcome<()> {
    let (Some(browser), Some(driver)) = (process::version_of(chromium), process::version_of(chromedriver))
    else {
        return Ok(());
    };
    if major(&browser) == major(&driver) {
        return Ok(());
    }
    Err(format!(
        "{} is of version {browser}, but {} of version {driver}: the browser tests need both of the same major version. \
         Update the older one, or set {CHROMIUM_VARIABLE} and {CHROMEDRIVER_VARIABLE} to a pair that fits.",
        chromium.display(),
        chromedriver.display()
    ))
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or_default()
}

fn install(engine: &Engine) -> Outcome<()> {
    let variables: Vec<&str> = engine.programs.iter().map(|program| program.variable).collect();
    engine.packages.install("the end-to-end tests pay in a real browser", |command| {
        format!(
            "The end-to-end tests need {}. Install them: {command}\nOr set {} to installed ones.",
            engine.packages.what,
            variables.join(", ")
        )
    })
}

/// Few systems package the WebDriver of Firefox.
fn geckodriver(workspace: &Workspace) -> Outcome<PathBuf> {
    const NAME: &str = "geckodriver";
    if let Some(driver) = configured(GECKODRIVER_VARIABLE)?.or_else(|| process::on_path(NAME)) {
        return Ok(driver);
    }
    let why = "the end-to-end tests drive Firefox with it";
    cargo_tool(workspace, NAME, [NAME, GECKODRIVER_VERSION], &["--locked"], why)
}
