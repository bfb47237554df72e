//! The browsers and their WebDrivers, for the end-to-end tests: one of each engine.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::geckodriver;
use super::{PackageManager, announce, could_not_install, package_manager};
use crate::workspace::Workspace;
use crate::{Outcome, process};

/// A browser engine with the programs that its tests need. The end-to-end tests read the same variables.
pub(crate) struct Engine {
    /// The value of `CHECKOUT_ENGINE`.
    pub(crate) name: &'static str,
    what: &'static str,
    programs: &'static [Program],
    /// Debian packages.
    packages: &'static [&'static str],
    /// How other systems get them.
    elsewhere: &'static str,
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

pub(crate) const CHROMIUM: Engine = Engine {
    name: "chromium",
    what: "Chromium and its driver",
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
    packages: &["chromium", "chromium-driver"],
    elsewhere: "https://googlechromelabs.github.io/chrome-for-testing/ has both",
};

pub(crate) const FIREFOX: Engine = Engine {
    name: "firefox",
    what: "Firefox",
    programs: &[Program {
        variable: FIREFOX_VARIABLE,
        candidates: &["firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"],
    }],
    packages: &["firefox-esr"],
    elsewhere: "https://www.mozilla.org/firefox has it for every system",
};

pub(crate) const WEBKIT: Engine = Engine {
    name: "webkit",
    what: "WebKitGTK with its driver, and a screen in memory",
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
    packages: &["libwebkit2gtk-4.1-0", "webkit2gtk-driver", "xvfb"],
    elsewhere: "WebKitGTK 4.1 with its driver and MiniBrowser are in the packages of most Linux systems",
};

/// Finds the programs of an engine; installs them when one is missing.
pub(crate) fn find_or_install(workspace: &Workspace, engine: &Engine) -> Outcome<Programs> {
    if find(engine)?.is_err() {
        install(engine)?;
    }
    let mut programs = find(engine)?.map_err(|missing| {
        format!(
            "{} were installed, but there is still none of {}. Set {} to its path.",
            engine.what,
            missing.candidates.join(", "),
            missing.variable
        )
    })?;
    match programs.as_slice() {
        [(CHROMIUM_VARIABLE, browser), (_, driver)] => same_version(browser, driver)?,
        [(FIREFOX_VARIABLE, _)] => {
            let driver = match configured(GECKODRIVER_VARIABLE)? {
                Some(driver) => driver,
                None => geckodriver::find_or_install(workspace)?,
            };
            programs.push((GECKODRIVER_VARIABLE, driver));
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
    let by_hand = |command: &str| {
        format!(
            "The end-to-end tests need {}. Install them: {command}\nOr set {} to installed ones.",
            engine.what,
            variables.join(", ")
        )
    };
    match (package_manager(), administrator()) {
        (Some(PackageManager::Apt), Some(prefix)) => {
            apt(prefix, engine.what, engine.packages, "the end-to-end tests pay in a real browser")
        }
        (Some(PackageManager::Apt), None) => {
            Err(by_hand(&format!("sudo apt-get install {}", engine.packages.join(" "))))
        }
        _ => Err(by_hand(engine.elsewhere)),
    }
}

/// The prefix for a command that changes the system: empty for root, `None` if it would ask for a password.
pub(super) fn administrator() -> Option<&'static [&'static str]> {
    let root = process::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if root {
        Some(&[])
    } else if process::capture(Command::new("sudo").args(["-n", "true"])).is_ok() {
        Some(&["sudo", "-n"])
    } else {
        None
    }
}

pub(super) fn apt(prefix: &[&str], what: &str, packages: &[&str], why: &str) -> Outcome<()> {
    announce(&format!("{what} (apt-get)"), why);
    let apt_get = |arguments: &[&str]| {
        let words: Vec<&str> = prefix.iter().chain(&["apt-get"]).chain(arguments).copied().collect();
        process::run(Command::new(words[0]).args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    // Several steps install at the same time, each in its own process.
    let path = std::env::temp_dir().join("crypto-checkout-apt.lock");
    let lock = File::create(&path).and_then(|file| file.lock().map(|()| file));
    let _lock = lock.map_err(|error| format!("{}: {error}.", path.display()))?;
    let install = [&["install", "--yes", "--quiet", "--no-install-recommends"], packages].concat();
    apt_get(&["update", "--quiet"]).and_then(|()| apt_get(&install)).map_err(|cause| {
        could_not_install(what, &cause, &format!("sudo apt-get install {}", packages.join(" ")))
    })
}

#[cfg(test)]
mod tests {
    use super::{CHROMIUM, FIREFOX, WEBKIT, major};

    #[test]
    fn only_the_major_version_must_match() {
        assert_eq!(major("131.0.6778.85"), major("131.0.6778.108"));
        assert_ne!(major("131.0.6778.85"), major("130.0.1"));
    }

    #[test]
    fn the_engines_share_no_variable() {
        let engines = [&CHROMIUM, &FIREFOX, &WEBKIT];
        let mut variables: Vec<&str> =
            engines.iter().flat_map(|engine| engine.programs).map(|program| program.variable).collect();
        let all = variables.len();
        variables.sort_unstable();
        variables.dedup();
        assert_eq!(variables.len(), all);
    }
}
