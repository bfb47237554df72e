//! Compares the core with other implementations on the same questions.

mod changes;
mod differences;
mod peers;

use checkout_oracles::questions::{Answer, Question, questions};
use crypto_checkout_core::Network;

use differences::DIFFERENCES;
use peers::{Found, PEERS, Peer};

/// For one network: every peer's answer to every question is the core's, or a listed difference.
#[track_caller]
fn check(network: Network) {
    let questions = questions(network);
    let accepted = questions.iter().filter(|question| matches!(question.answer, Answer::Accepted(..)));
    let accepted = accepted.count();
    assert!(accepted > 500 && questions.len() > 10 * 500, "{accepted} of {}", questions.len());
    let mut unlisted = Vec::new();
    for peer in PEERS.iter().filter(|peer| peer.networks.contains(&network)) {
        let mut seen = vec![0; DIFFERENCES.len()];
        for question in &questions {
            let theirs = (peer.ask)(network, &question.text);
            if agree(peer, question, theirs.as_ref()) {
                continue;
            }
            let listed = DIFFERENCES.iter().position(|difference| {
                difference.peer == peer.name
                    && difference.networks.contains(&network)
                    && (difference.is)(question, theirs.as_ref())
            });
            match listed {
                Some(at) => seen[at] += 1,
                None => unlisted.push(format!("{}: {question:?} but found {theirs:?}", peer.name)),
            }
        }
        for (difference, count) in DIFFERENCES.iter().zip(seen) {
            if difference.peer == peer.name && difference.networks.contains(&network) {
                println!("{:>6} {} on {}: {}", count, peer.name, network.code(), difference.why);
                assert!(count > 0, "stale: {} on {}: {}", peer.name, network.code(), difference.why);
            }
        }
        println!(
            "{:>6} questions, {accepted} accepted: {} on {}",
            questions.len(),
            peer.name,
            network.code()
        );
    }
    let shown = &unlisted[..unlisted.len().min(10)];
    assert!(unlisted.is_empty(), "{} differences are not listed:\n{}", unlisted.len(), shown.join("\n"));
}

fn agree(peer: &Peer, question: &Question, theirs: Option<&Found>) -> bool {
    match (&question.answer, theirs) {
        (Answer::Refused(_), None) => true,
        (Answer::Accepted(parts, normal), Some(found)) => {
            parts.payload == found.payload
                && parts.tag == found.tag
                && (!peer.knows_kind || parts.kind == found.kind)
                && found.normal.as_ref().is_none_or(|theirs| theirs == normal)
        }
        _ => false,
    }
}

#[test]
fn bitcoin() {
    check(Network::Btc);
}

#[test]
fn litecoin() {
    check(Network::Ltc);
}

#[test]
fn dogecoin() {
    check(Network::Doge);
}

#[test]
fn ethereum() {
    check(Network::Eth);
}

#[test]
fn bnb_smart_chain() {
    check(Network::Bsc);
}

#[test]
fn evm_networks_beyond_the_interface() {
    use Network::{Arbitrum, Avalanche, Base, Optimism, Polygon};
    for network in [Polygon, Base, Arbitrum, Optimism, Avalanche] {
        check(network);
    }
}

#[test]
fn tron() {
    check(Network::Trx);
}

#[test]
fn xrp_ledger() {
    check(Network::Xrp);
}

#[test]
fn stellar() {
    check(Network::Xlm);
}

#[test]
fn monero() {
    check(Network::Xmr);
}

#[test]
fn zcash() {
    check(Network::Zec);
}

#[test]
fn solana() {
    check(Network::Sol);
}

#[test]
fn cosmos_hub() {
    check(Network::Atom);
}

/// The JavaScript part asks their peers: no Rust crate decodes CashAddr strictly, and those of the others are heavy.
const IN_JAVASCRIPT: [Network; 6] =
    [Network::Bch, Network::Ton, Network::Sui, Network::Apt, Network::Dot, Network::Ada];

#[test]
fn every_other_network_has_a_peer() {
    for network in Network::ALL.iter().filter(|network| !IN_JAVASCRIPT.contains(network)) {
        assert!(PEERS.iter().any(|peer| peer.networks.contains(network)), "{network}");
    }
}
