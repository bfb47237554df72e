//! Programs of the operating system that tests start: databases, nodes, interpreters, compilers.

use std::env;
use std::path::Path;
use std::process::Command;

use super::system::{Packages, announce, could_not_install};
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

const POSTGRES: Packages = Packages {
    what: "PostgreSQL",
    apt: &["postgresql"],
    elsewhere: "see https://www.postgresql.org/download; or set CHECKOUT_TEST_POSTGRES to the URL of a server whose user may create databases",
};

const LITECOIND: Packages = Packages {
    what: "litecoind",
    apt: &["litecoind"],
    elsewhere: "take Litecoin Core from https://litecoin.org and set CHECKOUT_TEST_LITECOIND to the path of litecoind",
};

const PHP: Packages = Packages {
    what: "PHP with ext-ffi",
    apt: &["php-cli"],
    elsewhere: "see https://www.php.net, which has it for every system",
};

const MUSL: Packages = Packages {
    what: "musl with its compiler",
    apt: &["musl-tools"],
    elsewhere: "see https://musl.libc.org, which has it for every Linux",
};

const CXX_COMPILER: Packages = Packages {
    what: "a C++ compiler (`c++`)",
    apt: &["g++"],
    elsewhere: "install g++ or clang++ with your system's package manager",
};

/// Folders that contain one folder per installed version of PostgreSQL.
const VERSIONED: [&str; 3] = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

/// Installs a PostgreSQL server, which the tests of the gateway start in a temporary folder. They read the same variable.
pub(crate) fn postgres() -> Outcome<()> {
    let packaged = || {
        let folders = VERSIONED.iter().filter_map(|folder| files::entries(Path::new(folder)).ok());
        folders.flatten().any(|version| version.join("bin/initdb").is_file())
    };
    POSTGRES.ensure("the gateway is tested with both databases", || {
        is_set("CHECKOUT_TEST_POSTGRES") || process::on_path("initdb").is_some() || packaged()
    })
}

/// Installs the nodes that the tests of the chains start in temporary folders.
pub(crate) fn nodes(workspace: &Workspace) -> Outcome<()> {
    // The Debian package installs the binary here, and a wrapper on the path.
    let packaged = || Path::new("/usr/lib/litecoin/litecoind").is_file();
    LITECOIND.ensure("the gateway is tested with a real node", || {
        is_set("CHECKOUT_TEST_LITECOIND") || packaged() || process::on_path("litecoind").is_some()
    })?;
    println!("NOT TESTED: no package of a Bitcoin Cash node is available; a double follows its source.");
    bitcoind(workspace)
}

/// Finds the program, or unpacks it. The tests look into the same folder of the cache (`tests/nodes`).
fn bitcoind(workspace: &Workspace) -> Outcome<()> {
    let folder = workspace.tools.join("bitcoind");
    if is_set("CHECKOUT_TEST_BITCOIND") || process::on_path("bitcoind").is_some() {
        return Ok(());
    }
    files::made_once(&folder, |partial| {
        announce("bitcoind (Debian's bitcoin-knots)", "the gateway is tested with a real node of Bitcoin");
        let mut install = Command::new("sh");
        install.args(["-c", include_str!("bitcoind.sh"), "bitcoind.sh"]).args([partial, &folder]);
        process::run(&mut install).map_err(|cause| {
            let by_hand = "take Bitcoin Core from https://bitcoincore.org, and set CHECKOUT_TEST_BITCOIND to the path of bitcoind";
            could_not_install("bitcoind", &cause, by_hand)
        })
    })
}

pub(crate) fn php() -> Outcome<()> {
    PHP.ensure("the core's PHP package is tested with it", || process::on_path("php").is_some())
}

pub(crate) fn musl(compiler: &str) -> Outcome<()> {
    MUSL.ensure("static binaries are linked with musl", || process::on_path(compiler).is_some())
}

/// libFuzzer is built from the sources in a crate.
pub(crate) fn cxx_compiler() -> Outcome<()> {
    CXX_COMPILER.ensure("libFuzzer is compiled with it", || {
        is_set("CXX") || ["c++", "g++", "clang++"].iter().any(|name| process::on_path(name).is_some())
    })
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty())
}
