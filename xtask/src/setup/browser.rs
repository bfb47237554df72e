//! A browser and its WebDriver, for the end-to-end tests.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{PackageManager, announce, could_not_install, package_manager};
use crate::{Outcome, process};

pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) chromedriver: PathBuf,
}

const CHROMIUM: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const CHROMEDRIVER: &[&str] =
    &["chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver"];

/// Overrides the browser that is found. The end-to-end tests read the same variable.
pub(crate) const CHROMIUM_VARIABLE: &str = "CHECKOUT_CHROMIUM";
pub(crate) const CHROMEDRIVER_VARIABLE: &str = "CHECKOUT_CHROMEDRIVER";

const WHAT: &str = "Chromium and its driver";

pub(crate) fn find_or_install() -> Outcome<Browser> {
    let browser = if let Some(browser) = find()? {
        browser
    } else {
        install()?;
        find()?.ok_or(
            "Chromium and chromedriver were installed, but are not on the PATH. \
                 Set CHECKOUT_CHROMIUM and CHECKOUT_CHROMEDRIVER to their paths.",
        )?
    };
    same_version(&browser)?;
    Ok(browser)
}

fn find() -> Outcome<Option<Browser>> {
    let chromium = configured(CHROMIUM_VARIABLE)?.or_else(|| first(CHROMIUM));
    let chromedriver = configured(CHROMEDRIVER_VARIABLE)?.or_else(|| first(CHROMEDRIVER));
    Ok(chromium.zip(chromedriver).map(|(chromium, chromedriver)| Browser { chromium, chromedriver }))
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
fn same_version(Browser { chromium, chromedriver }: &Browser) -> Outcome<()> {
    let (Some(browser), Some(driver)) = (process::version_of(chromium), process::version_of(chromedriver))
    else {
        return Ok(());
    };
    if major(&browser) == major(&driver) {
        return Ok(());
    }
    Err(format!(
        "{} is of version {browser}, but {} of version {driver}: the browser tests need both of the same major version. \
         Update the older one, or set CHECKOUT_CHROMIUM and CHECKOUT_CHROMEDRIVER to a pair that fits.",
        chromium.display(),
        chromedriver.display()
    ))
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or_default()
}

fn install() -> Outcome<()> {
    let why = "the end-to-end tests pay in a real browser";
    let by_hand = |command: &str| {
        format!(
            "The end-to-end tests need {WHAT}. Install them: {command}\n\
             Or set CHECKOUT_CHROMIUM and CHECKOUT_CHROMEDRIVER to the paths of an installed pair."
        )
    };
    match package_manager() {
        Some(PackageManager::Apt) => match administrator() {
            Some(prefix) => apt(prefix, WHAT, &["chromium", "chromium-driver"], why),
            None => Err(by_hand("sudo apt-get install chromium chromium-driver")),
        },
        Some(PackageManager::Dnf) => Err(by_hand("sudo dnf install chromium chromedriver")),
        Some(PackageManager::Pacman) => Err(by_hand("sudo pacman -S chromium")),
        Some(PackageManager::Brew) => Err(by_hand("brew install --cask chromium chromedriver")),
        None => Err(by_hand(
            "no supported package manager was found; https://googlechromelabs.github.io/chrome-for-testing/ has both",
        )),
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
    let install = [&["install", "--yes", "--quiet", "--no-install-recommends"], packages].concat();
    apt_get(&["update", "--quiet"]).and_then(|()| apt_get(&install)).map_err(|cause| {
        could_not_install(what, &cause, &format!("sudo apt-get install {}", packages.join(" ")))
    })
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn only_the_major_version_must_match() {
        assert_eq!(major("131.0.6778.85"), major("131.0.6778.108"));
        assert_ne!(major("131.0.6778.85"), major("130.0.1"));
    }
}
