//! What people paste: links, and addresses with something before or after them. A suggestion has the same account, tag and
//! network as the pasted text, or there is none.

use crypto_checkout_core::{Network, Options, Pair, Reason, Table, Verdict, validate_with};
use serde::Deserialize;
use serde_json::Value;

use crate::support::lines;

/// A line of `vectors/pasted.jsonl`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Row {
    currency: String,
    network: String,
    address: String,
    destination_tag: Option<String>,
    memo_type: Option<String>,
    /// The verdict without `valid`, `supported` and `positions`.
    expected: Value,
    why: String,
}

impl Row {
    fn verdict(&self) -> Verdict {
        let memo_type = self.memo_type.as_deref().map(|code| code.parse().unwrap());
        let options = Options { memo_type, ..Options::STRICT };
        let tag = self.destination_tag.as_deref();
        validate_with(&self.currency, &self.network, &self.address, tag, &options)
    }
}

#[test]
fn every_pasted_text_has_its_verdict() {
    let rows = lines::<Row>("pasted.jsonl");
    let mut wrong = Vec::new();
    for row in &rows {
        let verdict = row.verdict();
        assert!(verdict.supported && !verdict.valid, "{row:?} {verdict:?}");
        let mut found = serde_json::to_value(&verdict).unwrap();
        assert_eq!(serde_json::from_value::<Verdict>(found.clone()).unwrap(), verdict, "{row:?}");
        for name in ["valid", "supported", "positions"] {
            found.as_object_mut().unwrap().remove(name);
        }
        if found != row.expected {
            wrong.push(format!(
                "{} {:?}: {}\n  not {found}\n  but {}",
                row.network, row.address, row.why, row.expected
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// What a scheme or the start of a CAIP-10 account names.
pub(crate) const NAMES: &[(&str, Network)] = &[
    ("bitcoin:", Network::Btc),
    ("btc:", Network::Btc),
    ("bip122:000000000019d6689c085ae165831e93:", Network::Btc),
    ("bitcoincash:", Network::Bch),
    ("bch:", Network::Bch),
    ("bip122:000000000000000000651ef99cb9fcbe:", Network::Bch),
    ("litecoin:", Network::Ltc),
    ("ltc:", Network::Ltc),
    ("bip122:12a765e31ffd4059bada1e25190f6e98:", Network::Ltc),
    ("dogecoin:", Network::Doge),
    ("doge:", Network::Doge),
    ("bip122:1a91e3dace36e2be3bf030a65679fe82:", Network::Doge),
    ("ethereum:", Network::Eth),
    ("eth:", Network::Eth),
    ("eip155:1:", Network::Eth),
    ("bnb:", Network::Bsc),
    ("bsc:", Network::Bsc),
    ("eip155:56:", Network::Bsc),
    ("matic:", Network::Polygon),
    ("pol:", Network::Polygon),
    ("polygon:", Network::Polygon),
    ("eip155:137:", Network::Polygon),
    ("base:", Network::Base),
    ("eip155:8453:", Network::Base),
    ("arb1:", Network::Arbitrum),
    ("arbitrum:", Network::Arbitrum),
    ("eip155:42161:", Network::Arbitrum),
    ("oeth:", Network::Optimism),
    ("optimism:", Network::Optimism),
    ("eip155:10:", Network::Optimism),
    ("avax:", Network::Avalanche),
    ("avalanche:", Network::Avalanche),
    ("eip155:43114:", Network::Avalanche),
    ("solana:", Network::Sol),
    ("sol:", Network::Sol),
    ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:", Network::Sol),
    ("polkadot:", Network::Dot),
    ("dot:", Network::Dot),
    ("polkadot:91b171bb158e2d3848fa23a9f1c25182:", Network::Dot),
    ("web+cardano:", Network::Ada),
    ("cardano:", Network::Ada),
    ("ada:", Network::Ada),
    ("monero:", Network::Xmr),
    ("xmr:", Network::Xmr),
    ("zcash:", Network::Zec),
    ("zec:", Network::Zec),
    ("cosmos:", Network::Atom),
    ("atom:", Network::Atom),
    ("ton:", Network::Ton),
    ("sui:", Network::Sui),
    ("aptos:", Network::Apt),
    ("apt:", Network::Apt),
    ("tron:", Network::Trx),
    ("trx:", Network::Trx),
    ("tron:0x2b6653dc:", Network::Trx),
    ("ripple:", Network::Xrp),
    ("xrpl:", Network::Xrp),
    ("xrp:", Network::Xrp),
    ("xrpl:0:", Network::Xrp),
    ("stellar:", Network::Xlm),
    ("xlm:", Network::Xlm),
    ("stellar:pubnet:", Network::Xlm),
];

pub(crate) fn pair(network: Network) -> &'static Pair {
    Table::All.pairs().iter().find(|pair| pair.network == network).unwrap()
}

pub(crate) fn ask(network: Network, text: &str) -> Verdict {
    validate_with(pair(network).currency.code(), network.code(), text, None, &Options::STRICT)
}

/// Each name before an address of each network, in both letter cases.
#[test]
fn a_link_of_another_network_is_named_and_has_no_suggestion() {
    for (name, named) in NAMES {
        for asked in Network::ALL {
            for account in [asked.spec().example, named.spec().example] {
                let account = account.strip_prefix("bitcoincash:").unwrap_or(account);
                for text in [format!("{name}{account}"), format!("{}{account}", name.to_ascii_uppercase())] {
                    let verdict = ask(*asked, &text);
                    if asked == named {
                        let suggestion = Some(asked.spec().example.to_owned());
                        let own = *asked == Network::Bch && name.starts_with("bitcoincash");
                        assert!(
                            own || (verdict.reason, &verdict.suggestion)
                                == (Some(Reason::UriLike), &suggestion),
                            "{asked} {text} {verdict:?}"
                        );
                    } else {
                        assert_eq!(verdict.reason, Some(Reason::WrongNetwork), "{asked} {text}");
                        assert_eq!(
                            (verdict.looks_like, verdict.suggestion),
                            (Some(*named), None),
                            "{asked} {text}"
                        );
                    }
                }
            }
        }
    }
}
