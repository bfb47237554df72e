//! Nodes on regtest, which the tests of the chains start in temporary folders.

use std::path::Path;

use super::system::Packages;
use crate::outcome::Outcome;
use crate::process;

const WHAT: &str = "litecoind";

const PACKAGES: Packages =
    Packages::of_debian(WHAT, &["litecoind"], "take Litecoin Core from https://litecoin.org");

/// The path of an installed program. The tests read the same variable.
const VARIABLE: &str = "CHECKOUT_TEST_LITECOIND";

pub(super) fn find_or_install() -> Outcome<()> {
    if !is_there() {
        PACKAGES.install("the gateway is tested with a real node", by_hand)?;
    }
    if !is_there() {
        return Err(by_hand("it was installed, but the program is missing"));
    }
    println!("NOT TESTED: no package of a Bitcoin Cash node is available; a double follows its source.");
    Ok(())
}

fn is_there() -> bool {
    // The Debian package installs the binary here, and a wrapper on the path.
    std::env::var_os(VARIABLE).is_some_and(|path| Path::new(&path).is_file())
        || Path::new("/usr/lib/litecoin/litecoind").is_file()
        || process::on_path(WHAT).is_some()
}

fn by_hand(command: &str) -> String {
    format!(
        "The tests of the chains need {WHAT}. Install it: {command}\nOr set {VARIABLE} to the path of the program."
    )
}
