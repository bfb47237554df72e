//! Which tests are about money, and which wait for other programs: the first row that fits decides.

use crate::counts::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Never forgiven; repeated only to say how often it fails.
    Money,
    /// Waits for browsers, nodes, databases, ports or real time.
    Waiting,
    Other,
}

/// The beginnings of a program's name and of its tests' names.
const KINDS: &[(&str, &[&str], Kind)] = &[
    ("checkout-storage", ALL, Kind::Money),
    ("checkout-domain", ALL, Kind::Money),
    ("checkout-simulator", ALL, Kind::Money),
    ("checkout-gateway --lib", ALL, Kind::Money),
    ("checkout-gateway --test http", WAITING_FOR_HTTP, Kind::Waiting),
    ("checkout-gateway --test http", ALL, Kind::Money),
    ("checkout --test process", ABOUT_MONEY, Kind::Money),
    ("checkout --test ", ALL, Kind::Waiting),
    ("checkout-chain-conformance", ALL, Kind::Money),
    ("checkout-chain-bitcoin", ALL, Kind::Waiting),
    ("checkout-chain-evm", ALL, Kind::Waiting),
    ("checkout-chain-http", ALL, Kind::Waiting),
    ("checkout-e2e", ALL, Kind::Waiting),
    ("checkout-test-", ALL, Kind::Waiting),
];

const ALL: &[&str] = &[""];
const WAITING_FOR_HTTP: &[&str] =
    &["browsers", "callbacks", "slow_network", "slow_screening", "polls", "rate_limits"];
const ABOUT_MONEY: &[&str] =
    &["kills", "restore", "failover", "disk_full", "untagged", "flagged", "withdrawal_limits"];

impl Kind {
    pub(super) fn of(failure: &Failure) -> Self {
        let fits = |(program, tests, _): &&(&str, &[&str], Self)| {
            failure.program.starts_with(program) && tests.iter().any(|test| failure.test.starts_with(test))
        };
        KINDS.iter().find(fits).map_or(Self::Other, |(.., kind)| *kind)
    }
}
