//! The command line of `cargo xtask`. The table defines the parser and the text of `cargo xtask help`.

use std::ffi::OsString;
use std::num::NonZeroU64;

xflags::xflags! {
    /// Sets up, builds, serves and tests Crypto Checkout.
    cmd xtask {
        /// Build everything, start the sandbox gateway and a demo shop, print the shop's address.
        cmd serve {
            /// Port of the gateway; 0 picks a free one. 8080 by default.
            optional --port port: u16
            /// Port of the demo shop; 0 picks a free one. 8081 by default.
            optional --shop-port port: u16
            /// An origin that may embed the checkout, such as http://localhost:3000. Repeatable.
            repeated --origin origin: String
            /// URL that receives the webhooks of deposits. By default the inbox of the sandbox.
            optional --deposit-callback url: String
            /// URL that receives the webhooks of withdrawals. By default the inbox of the sandbox.
            optional --withdrawal-callback url: String
        }
        /// Run the tests that a person runs: SQLite, real nodes, some journeys in Chromium.
        /// Or all tests of one part: core, gateway, contract, npm, widget, xtask, e2e, lint.
        cmd test {
            /// Part of the product.
            optional part: String
            /// Run the tests that the changes since the main branch, or since the last commit that passed, can break.
            optional --changed
            /// Run before a commit: no browser, no PostgreSQL, no process kills, few random worlds.
            optional --quick
            /// Name of one step, which runs with the steps that it needs.
            optional --step name: String
        }
        /// Check a change before it is merged, as .ci/run does: formatting and clippy, test, and the groups that have their turn.
        cmd ci {
            /// All groups.
            optional --everything
        }
        /// Check the invariants of ARCHITECTURE.md that the compiler does not check.
        cmd tidy {}
        /// Compare the gateway with its model in random worlds with crashes and reorganisations.
        cmd soak {
            /// Add every kill, fuzz targets, and property tests of all packages with fresh seeds.
            optional --everything
            /// Number of worlds; 10000 by default, unlimited with --seconds.
            optional --seeds number: NonZeroU64
            /// Duration.
            optional --seconds number: NonZeroU64
            /// First seed; random by default.
            optional --first-seed number: NonZeroU64
        }
        /// Fuzz every parser of the core, or the named ones, with libFuzzer.
        cmd fuzz {
            repeated target: String
            /// Seconds per target; 60 by default.
            optional --seconds number: NonZeroU64
        }
        /// Benchmark one subject: core, npm, gateway, page, scale or lists.
        cmd bench {
            required subject: String
            /// Write the results into docs/validation.md, docs/performance.md or docs/scale.md.
            optional --write
            /// Payments beside which lists measures; 1000000 by default.
            optional --payments payments: NonZeroU64
        }
        /// Build the whole product at target/release/checkout.
        cmd build {}
        /// Build the npm packages: the core at target/npm, the loader of the checkout at target/npm-embed, the client for
        /// back ends at target/npm-client, the payment provider for Medusa at target/npm-medusa, the checkout as static
        /// files at target/npm-widget.
        cmd npm {}
        /// Build the Python packages: the client for back ends at target/python-client, the payment provider for pretix at
        /// target/python-pretix.
        cmd python {}
        /// One step of a release; .github/workflows/release.yml has their order. What they write is in target/dist.
        cmd release {
            /// Write down what the API promises from now on.
            cmd api {}
            /// Build the binary for a target of rustc, put it into an archive, start that, and open its demo shop.
            cmd binary {
                /// Such as x86_64-unknown-linux-musl.
                required --target target: String
            }
            /// Build the container image from the archives with static binaries, for both processors under one name.
            cmd image {}
            /// Write the bill of materials in CycloneDX: what the binary is compiled from, and what the pages are bundled from.
            cmd sbom {}
            /// Write target/notes.md from the section of CHANGELOG.md.
            cmd notes {
                /// Such as v1.2.3: the version of Cargo.toml.
                required --tag tag: String
                /// Address of the repository, for the links.
                required --repository url: String
            }
        }
        /// Write screenshots of every screen of the checkout into docs/screens, and the pictures of README.md and the site into docs/images.
        cmd screens {}
        /// Print the size of a payer's downloads with the budgets; fail if one is exceeded.
        cmd size {}
    }
}

/// Parses the arguments after `cargo xtask`; `--flag=value` is read as `--flag value`, and a `--` before the flags is allowed.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> xflags::Result<XtaskCmd> {
    let split = |word: OsString| match word.to_str().and_then(|text| text.split_once('=')) {
        Some((flag, value)) if flag.starts_with("--") => vec![flag.into(), value.into()],
        _ => vec![word],
    };
    let words = words.into_iter().enumerate().filter(|(place, word)| *place != 1 || word != "--");
    Xtask::from_vec(words.flat_map(|(_, word)| split(word)).collect()).map(|flags| flags.subcommand)
}

#[cfg(test)]
mod tests {
    use super::{XtaskCmd, parse};

    #[test]
    fn values_follow_a_flag_or_its_equals_sign() {
        for line in ["serve --port 9000", "serve --port=9000", "serve -- --port 9000"] {
            let found = parse(line.split(' ').map(Into::into));
            assert!(matches!(found, Ok(XtaskCmd::Serve(flags)) if flags.port == Some(9000)), "{line}");
        }
    }
}
