//! `poll_seconds`, `requests_per_hour` and `requests_per_day` of a section of `[chains]`.

use std::net::IpAddr;
use std::time::Duration;

use checkout_chain_http::gate::Budget;
use checkout_core::Network;
use checkout_domain::chain::polling::Pace;
use checkout_gateway::texts::public_address::is_public;

/// How often and how much a server is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Requests {
    pub(super) pace: Pace,
    pub(super) budget: Option<Budget>,
}

impl Requests {
    /// Errors are the end of a sentence that begins with the section.
    pub(super) fn read(
        network: Network,
        url: &str,
        poll_seconds: Option<u64>,
        per_hour: Option<u32>,
        per_day: Option<u32>,
    ) -> Result<Self, &'static str> {
        let usual = (Pace::usual(network), usual(network));
        Self::read_with(usual, url, poll_seconds, per_hour, per_day)
    }

    /// Of an Esplora server.
    pub(super) fn read_by_address(
        url: &str,
        poll_seconds: Option<u64>,
        per_hour: Option<u32>,
        per_day: Option<u32>,
    ) -> Result<Self, &'static str> {
        let usual = (Pace::by_address(), Some(Budget::hourly(700)));
        Self::read_with(usual, url, poll_seconds, per_hour, per_day)
    }

    fn read_with(
        (pace, limit): (Pace, Option<Budget>),
        url: &str,
        poll_seconds: Option<u64>,
        per_hour: Option<u32>,
        per_day: Option<u32>,
    ) -> Result<Self, &'static str> {
        let budget = match (per_hour, per_day) {
            (Some(_), Some(_)) => return Err("set either requests_per_hour or requests_per_day"),
            (Some(0), None) | (None, Some(0)) => None,
            (Some(requests), None) => Some(Budget::hourly(requests)),
            (None, Some(requests)) => Some(Budget::daily(requests)),
            (None, None) if is_own(url) => None,
            (None, None) => limit,
        };
        if poll_seconds.is_some_and(|seconds| Duration::from_secs(seconds) > LONGEST_POLL) {
            return Err("poll_seconds must be at most 120");
        }
        let pace = poll_seconds.map_or(pace, Pace::every);
        Ok(Self { pace, budget })
    }
}

const LONGEST_POLL: Duration = Duration::from_mins(2);

/// The documented limits of public servers: see `docs/requests.md`.
fn usual(network: Network) -> Option<Budget> {
    match network {
        Network::Eth => Some(Budget::daily(37_500)),
        Network::Trx => Some(Budget::daily(100_000)),
        Network::Xrp | Network::Xlm => Some(Budget::hourly(3_600)),
        _ => None,
    }
}

/// A server on this machine or in a private network has no limit that it does not tell.
fn is_own(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, _)) => host,
        None => host.split(':').next().unwrap_or_default(),
    };
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| !is_public(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_servers() {
        for (url, expected) in [
            ("http://127.0.0.1:8545", true),
            ("http://localhost", true),
            ("http://user:word@10.0.0.7:5005/path?x", true),
            ("http://[::1]:8000/", true),
            ("https://horizon.stellar.org", false),
            ("https://8.8.8.8/", false),
            ("https://localhost.example", false),
        ] {
            assert_eq!(is_own(url), expected, "{url}");
        }
    }

    #[test]
    fn settings() {
        let public = "https://node.example";
        let check = |url, poll, hour, day, expected: Result<(Pace, Option<Budget>), &str>| {
            let read = Requests::read(Network::Xlm, url, poll, hour, day);
            assert_eq!(
                read.map(|read| (read.pace, read.budget)),
                expected,
                "{url} {poll:?} {hour:?} {day:?}"
            );
        };
        let usual = Pace::usual(Network::Xlm);
        check(public, None, None, None, Ok((usual, Some(Budget::hourly(3_600)))));
        check("http://127.0.0.1", None, None, None, Ok((usual, None)));
        check("http://127.0.0.1", None, Some(9), None, Ok((usual, Some(Budget::hourly(9)))));
        check(public, Some(1), Some(0), None, Ok((Pace::every(1), None)));
        check(public, None, None, Some(9), Ok((usual, Some(Budget::daily(9)))));
        check(public, None, Some(9), Some(9), Err("set either requests_per_hour or requests_per_day"));
        check(public, Some(121), None, None, Err("poll_seconds must be at most 120"));
        let by_address = |url| Requests::read_by_address(url, None, None, None).unwrap();
        let server = by_address("https://blockstream.info/api");
        assert_eq!((server.pace, server.budget), (Pace::by_address(), Some(Budget::hourly(700))));
        assert_eq!(by_address("http://10.0.0.7/api").budget, None);
    }
}
