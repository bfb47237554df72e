//! The questions for the core and its peers, with the core's answers.

use std::fs;
use std::path::Path;

use crypto_checkout_core::{Address, Network, Reason};
use serde::Serialize;

use crate::evm::hex;
use crate::forms::{self, Parts};
use crate::mutate::mutate;
use crate::random::Random;

/// Valid addresses per kind; each is also changed four times.
const EACH_KIND: usize = 800;

/// Texts with a valid checksum and random content.
const NEAR: usize = 4_000;

/// The core's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The content of the address, and its normal form.
    Accepted(Parts, String),
    Refused(Reason),
}

/// A text and a network.
#[derive(Clone, Debug)]
pub struct Question {
    pub network: Network,
    pub text: String,
    pub answer: Answer,
}

impl Question {
    pub fn new(network: Network, text: String) -> Self {
        let answer = match Address::parse(network, &text) {
            Ok(address) => {
                let parts = Parts {
                    kind: address.kind().code().to_owned(),
                    payload: address.payload().to_owned(),
                    tag: address.tag(),
                };
                Answer::Accepted(parts, address.to_string())
            }
            Err(error) => Answer::Refused(error.reason()),
        };
        Self { network, text, answer }
    }

    /// A line for the JavaScript peers.
    pub fn to_json(&self) -> String {
        let mut line = Line { network: self.network.code(), address: &self.text, ..Line::default() };
        match &self.answer {
            Answer::Refused(reason) => line.reason = Some(reason.code()),
            Answer::Accepted(parts, normal) => {
                line.kind = Some(&parts.kind);
                line.payload = Some(hex(&parts.payload));
                line.tag = parts.tag.map(|tag| tag.to_string());
                line.normal = Some(normal);
            }
        }
        serde_json::to_string(&line).expect("texts are JSON")
    }
}

#[derive(Default, Serialize)]
struct Line<'a> {
    network: &'a str,
    address: &'a str,
    reason: Option<&'a str>,
    kind: Option<&'a str>,
    payload: Option<String>,
    tag: Option<String>,
    normal: Option<&'a str>,
}

/// All questions for a network, the same on every run: the published vectors of all networks, valid
/// addresses, near misses, and changed versions of both.
pub fn questions(network: Network) -> Vec<Question> {
    let mut random = Random::new(0xc0de ^ network as u64);
    let mut texts = vectors();
    texts.extend(forms::anchor(network));
    texts.extend(forms::zeros(network));
    for _ in 0..EACH_KIND {
        for (text, _) in forms::right(network, &mut random) {
            texts.extend((0..4).map(|_| mutate(&text, &mut random)));
            texts.push(text);
        }
    }
    for _ in 0..NEAR {
        let text = forms::near(network, &mut random);
        texts.push(mutate(&text, &mut random));
        texts.push(text);
    }
    texts.into_iter().map(|text| Question::new(network, text)).collect()
}

/// The addresses in all published vectors.
fn vectors() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
    let of_networks =
        Network::ALL.iter().map(|network| format!("addresses/{}.jsonl", network.code().to_ascii_lowercase()));
    let mut texts = Vec::new();
    for file in of_networks.chain(["policy.jsonl".to_owned()]) {
        let path = folder.join(file);
        let lines = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        texts.extend(lines.lines().map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).expect("a vector is JSON");
            value["address"].as_str().expect("a vector has an address").to_owned()
        }));
    }
    texts.sort();
    texts.dedup();
    texts
}
