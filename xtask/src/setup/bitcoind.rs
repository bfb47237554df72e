//! `bitcoind` for the tests of the chains: Bitcoin Knots, which Debian packages in its suite sid only. Its packages are unpacked
//! into the cache folder with the libraries of sid and their loader, so that nothing of the system changes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use super::system::{announce, could_not_install};
use crate::files;
use crate::outcome::Outcome;
use crate::process;
use crate::workspace::Workspace;

/// The path of an installed program. The tests read the same variable.
const VARIABLE: &str = "CHECKOUT_TEST_BITCOIND";

const PACKAGE: &str = "bitcoin-knots";
/// The tested version. sid moves on; a later version is taken then, and named.
const VERSION: &str = "29.4.knots20260508.3-1";
const SHA256: &str = "33649ca0ff563b2276b0c13cf11e8b1f87b2a977bb3f91d86fdee569d8568cc1";

/// Of the package `debian-archive-keyring`, which every Debian has.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

const BY_HAND: &str =
    "take Bitcoin Core from https://bitcoincore.org, and set CHECKOUT_TEST_BITCOIND to the path of bitcoind";

/// Finds the program, or unpacks it. The tests look into the same folder of the cache (`tests/nodes`).
pub(super) fn find_or_install(workspace: &Workspace) -> Outcome<()> {
    let named = std::env::var_os(VARIABLE).is_some_and(|path| Path::new(&path).is_file());
    let folder = workspace.tools.join("bitcoind");
    if named || folder.join("bitcoind").is_file() || process::on_path("bitcoind").is_some() {
        return Ok(());
    }
    announce("bitcoind (Debian's bitcoin-knots)", "the gateway is tested with a real node of Bitcoin");
    let partial = workspace.tools.join(format!("bitcoind.{}", std::process::id()));
    let installed = install(&partial, &folder);
    let _ = fs::remove_dir_all(&partial);
    installed.map_err(|cause| {
        format!("bitcoind cannot be had: {}", could_not_install("bitcoind", &cause, BY_HAND))
    })
}

fn install(partial: &Path, folder: &Path) -> Outcome<()> {
    let failed = files::fault(partial);
    let archive = archive()?;
    let downloads = partial.join("packages");
    for part in ["lists/partial", "cache/archives/partial", "state", "packages"] {
        fs::create_dir_all(partial.join(part)).map_err(failed)?;
    }
    fs::write(partial.join("state/status"), "").map_err(failed)?;
    let signed = if Path::new(KEYRING).is_file() { format!("[signed-by={KEYRING}] ") } else { String::new() };
    fs::write(partial.join("sources.list"), format!("deb {signed}{archive} sid main\n")).map_err(failed)?;
    fs::write(partial.join("apt.conf"), settings(partial)).map_err(failed)?;
    let apt = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).env("APT_CONFIG", partial.join("apt.conf")).current_dir(&downloads);
        process::capture(&mut command)
    };
    apt("apt-get", &["update"])?;
    let pinned = format!("{PACKAGE}={VERSION}");
    if apt("apt-get", &["download", &pinned]).is_err() {
        apt("apt-get", &["download", PACKAGE])?;
    }
    check(&package(&downloads)?)?;
    let libraries = libraries(|package| apt("apt-cache", &["depends", package]))?;
    let libraries: Vec<&str> = libraries.iter().map(String::as_str).collect();
    apt("apt-get", &[&["download"], &libraries[..]].concat())?;
    let root = partial.join("root");
    for file in fs::read_dir(&downloads).map_err(failed)?.flatten() {
        process::capture(Command::new("dpkg").arg("-x").arg(file.path()).arg(&root))?;
    }
    let _ = fs::remove_dir_all(folder);
    fs::rename(&root, folder).map_err(failed)?;
    write_starter(folder)
}

/// The address of Debian's archive, from the sources of this machine.
fn archive() -> Outcome<String> {
    let format = "$(ORIGIN) $(LABEL) $(REPO_URI)";
    let listed = process::capture(Command::new("apt-get").args(["indextargets", "--format", format]))?;
    let found = listed.lines().find_map(|line| line.strip_prefix("Debian Debian "));
    let found = found.map(|address| address.trim_end_matches('/').to_owned());
    found.ok_or_else(|| "No archive of Debian is among the apt sources of this machine.".to_owned())
}

fn settings(folder: &Path) -> String {
    let at = |part: &str| folder.join(part).display().to_string();
    let rows = [
        ("Dir::Etc::sourcelist", at("sources.list")),
        ("Dir::Etc::sourceparts", "-".to_owned()),
        ("Dir::State", at("state")),
        ("Dir::State::lists", at("lists")),
        ("Dir::State::status", at("state/status")),
        ("Dir::Cache", at("cache")),
        // The folder may be readable by its owner only.
        ("APT::Sandbox::User", "root".to_owned()),
    ];
    rows.into_iter().fold(String::new(), |mut text, (name, value)| {
        writeln!(text, "{name} \"{value}\";").expect("a String takes any text");
        text
    })
}

fn package(folder: &Path) -> Outcome<PathBuf> {
    let entries = fs::read_dir(folder).map_err(files::fault(folder))?;
    let is_package =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PACKAGE));
    let found = entries.flatten().map(|entry| entry.path()).find(is_package);
    found.ok_or_else(|| format!("apt-get downloaded no {PACKAGE}."))
}

/// apt checked the signatures; another version than the pinned one is only named.
fn check(file: &Path) -> Outcome<()> {
    let bytes = files::read(file)?;
    let sum = hex::encode(Sha256::digest(&bytes));
    if sum != SHA256 {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        println!("setup: NOT THE PINNED bitcoind: {name} ({sum}) instead of {PACKAGE} {VERSION}");
    }
    Ok(())
}

/// The libraries that the program needs, with those that they need.
fn libraries(depends: impl Fn(&str) -> Outcome<String>) -> Outcome<BTreeSet<String>> {
    let (mut found, mut next) = (BTreeSet::new(), vec![PACKAGE.to_owned()]);
    while let Some(package) = next.pop() {
        for line in depends(&package)?.lines() {
            let Some(needed) = line.trim_start_matches([' ', '|']).strip_prefix("Depends: ") else {
                continue;
            };
            let is_library = needed.starts_with("lib") || needed.starts_with("zlib");
            if is_library && found.insert(needed.to_owned()) {
                next.push(needed.to_owned());
            }
        }
    }
    Ok(found)
}

/// A script that starts the program with the libraries of its own suite.
fn write_starter(folder: &Path) -> Outcome<()> {
    let failed = files::fault(folder);
    let libraries = fs::read_dir(folder.join("usr/lib")).map_err(failed)?.flatten().map(|entry| entry.path());
    let loader = libraries
        .filter_map(|path| Some(fs::read_dir(path).ok()?.flatten().map(|entry| entry.path())))
        .flatten()
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ld-linux")));
    let loader = loader.ok_or_else(|| "libc6 has no loader.".to_owned())?;
    let libraries = loader.parent().unwrap_or(folder);
    let script = format!(
        "#!/bin/sh\nexec '{}' --library-path '{}' '{}' \"$@\"\n",
        loader.display(),
        libraries.display(),
        folder.join("usr/bin/bitcoind").display()
    );
    let starter = folder.join("bitcoind");
    fs::write(&starter, script).map_err(failed)?;
    process::capture(Command::new("chmod").arg("755").arg(&starter))?;
    let version = process::capture(Command::new(&starter).arg("--version"))?;
    println!("setup: {}", version.lines().next().unwrap_or_default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::libraries;

    #[test]
    fn the_libraries_of_libraries_are_needed_too() {
        let depends = |package: &str| {
            Ok(match package {
                "bitcoin-knots" => {
                    "bitcoin-knots\n  Depends: debconf\n |Depends: systemd\n  Depends: libc6\n  Depends: libzmq5\n"
                }
                "libzmq5" => "libzmq5\n  Depends: libc6\n  Depends: libsodium26\n  Recommends: libother\n",
                "libsodium26" => "libsodium26\n  Depends: libzmq5\n  PreDepends: zlib1g\n",
                other => other,
            }
            .to_owned())
        };
        let found = libraries(depends).expect("every package is listed");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["libc6", "libsodium26", "libzmq5"]);
    }
}
