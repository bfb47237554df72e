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

/// The beginnings of a program's and of a test's name.
const KINDS: &[(&str, &str, Kind)] = &[
    ("checkout-storage", "", Kind::Money),
    ("checkout-domain", "", Kind::Money),
    ("checkout-simulator", "", Kind::Money),
    ("checkout-gateway --lib", "", Kind::Money),
    ("checkout-gateway --test http", "browsers", Kind::Waiting),
    ("checkout-gateway --test http", "callbacks", Kind::Waiting),
    ("checkout-gateway --test http", "slow_network", Kind::Waiting),
    ("checkout-gateway --test http", "slow_screening", Kind::Waiting),
    ("checkout-gateway --test http", "polls", Kind::Waiting),
    ("checkout-gateway --test http", "rate_limits", Kind::Waiting),
    ("checkout-gateway --test http", "", Kind::Money),
    ("checkout --test process", "kills", Kind::Money),
    ("checkout --test process", "restore", Kind::Money),
    ("checkout --test process", "failover", Kind::Money),
    ("checkout --test process", "disk_full", Kind::Money),
    ("checkout --test process", "untagged", Kind::Money),
    ("checkout --test process", "flagged", Kind::Money),
    ("checkout --test process", "withdrawal_limits", Kind::Money),
    ("checkout --test process", "", Kind::Waiting),
    ("checkout --test requests", "", Kind::Waiting),
    ("checkout-chain-conformance", "", Kind::Money),
    ("checkout-chain-bitcoin", "", Kind::Waiting),
    ("checkout-chain-evm", "", Kind::Waiting),
    ("checkout-chain-http", "", Kind::Waiting),
    ("checkout-e2e", "", Kind::Waiting),
    ("checkout-test-", "", Kind::Waiting),
];

impl Kind {
    pub(super) fn of(failure: &Failure) -> Self {
        let fits = |(program, test, _): &&(&str, &str, Self)| {
            failure.program.starts_with(program) && failure.test.starts_with(test)
        };
        KINDS.iter().find(fits).map_or(Self::Other, |(.., kind)| *kind)
    }
}
