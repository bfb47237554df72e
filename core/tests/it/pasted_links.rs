//! Whatever was pasted, a suggestion has the same account, tag, type of memo and network, or there is none.

use std::cell::Cell;

use crypto_checkout_core::network::TagRule;
use crypto_checkout_core::tag::{MemoType, Tag};
use crypto_checkout_core::{Address, Network, Options, validate_with};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};

use crate::pasted::{NAMES, pair};
use crate::support::addresses;

/// What was pasted, and what it means.
#[derive(Clone, Debug)]
struct Pasted {
    asked: Network,
    account: Address,
    start: (String, Option<Network>),
    chain_id: Option<(u64, Option<Network>)>,
    parameters: Vec<Parameter>,
    end: &'static str,
    /// In the field of the tag.
    beside: Option<&'static str>,
}

#[derive(Clone, Debug)]
struct Parameter {
    key: String,
    value: String,
    separator: &'static str,
    /// Which characters are percent-encoded.
    encoded: u64,
}

/// There must be no suggestion.
struct Unclear;

const KEYS: &[&str] = &[
    "dt",
    "tag",
    "destinationTag",
    "destination_tag",
    "memo",
    "memo",
    "memo_type",
    "memo_type",
    "memoType",
    "amount",
    "label",
    "message",
    "memo_id",
    "memoId",
    "id",
    "to",
    "t",
    "foo",
    "destination",
    "value",
    "network",
];

const VALUES: &[&str] = &[
    "495",
    "7",
    "0",
    "007",
    "-1",
    "+5",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999",
    "hello",
    "hello world",
    " x",
    "a&memo=7",
    "grüße",
    "",
    "1e3",
    "0x7",
    "MEMO_ID",
    "x\ny",
    "twenty-eight-bytes-of-memo-t",
    "twenty-nine-bytes-of-memo-te",
];

const TYPES: &[&str] =
    &["MEMO_TEXT", "MEMO_ID", "MEMO_TEXT", "text", "id", "MEMO_HASH", "MEMO_RETURN", "7", ""];

const ENDS: &[&str] = &["#7", " 7", "&", "/7", ":7", ",7", "?", "\nTag: 7", "#", " ", "&amp;"];

const OTHER_STARTS: &[&str] =
    &["celo:", "foo:", ":", "tezos:", "eip155:100:", "xrpl:1:", "https://", "address: "];

impl Pasted {
    fn text(&self) -> String {
        let chain_id = self.chain_id.map(|(id, _)| format!("@{id}")).unwrap_or_default();
        let parameters = self.parameters.iter().enumerate().flat_map(|(index, parameter)| {
            let Parameter { key, value, separator, encoded } = parameter;
            let separator = if index == 0 && encoded % 8 != 0 { "?" } else { separator };
            [separator.to_owned(), encode(key, *encoded), "=".to_owned(), encode(value, encoded >> 16)]
        });
        let start = [self.start.0.clone(), self.account.to_string(), chain_id];
        let text: String = start.into_iter().chain(parameters).collect();
        text + self.end
    }

    fn is_shared(&self) -> bool {
        let is_evm = |network: Network| network.spec().chain_id().is_some();
        let is_move = |network: Network| matches!(network, Network::Sui | Network::Apt);
        let (asked, network) = (self.asked, self.account.network());
        asked == network || (is_evm(asked) && is_evm(network)) || (is_move(asked) && is_move(network))
    }

    /// The tag, if a suggestion is allowed.
    fn meant(&self) -> Result<Option<Tag>, Unclear> {
        let pasted = self.pasted()?;
        let beside = Tag::parse(self.asked, self.beside.unwrap_or_default(), None).map_err(|_| Unclear)?;
        match (pasted, beside) {
            (Some(pasted), Some(beside)) if pasted != beside => Err(Unclear),
            (pasted, beside) => Ok(pasted.or(beside)),
        }
    }

    fn pasted(&self) -> Result<Option<Tag>, Unclear> {
        let names = [self.start.1, self.chain_id.map_or(Some(self.asked), |id| id.1)];
        if names.iter().any(|named| *named != Some(self.asked)) || !self.is_shared() {
            return Err(Unclear);
        }
        let mut parameters = self.parameters.clone();
        match (self.end, parameters.last_mut()) {
            ("" | "&" | "?" | " " | "&amp;", _) => {}
            ("/7" | ":7" | ",7", Some(last)) => last.value += self.end,
            _ => return Err(Unclear),
        }
        let (mut tags, mut types) = (Vec::new(), Vec::new());
        for Parameter { key, value, .. } in &parameters {
            let plain: String = key.to_ascii_lowercase().chars().filter(|letter| *letter != '_').collect();
            match (self.asked.spec().tag, plain.as_str()) {
                (_, "label" | "message") => {}
                (_, "amount") if is_number(value) => {}
                (TagRule::DestinationTag, "dt" | "tag" | "destinationtag") | (TagRule::Memo, "memo") => {
                    tags.push(value);
                }
                (TagRule::Memo, "memotype") => types.push(value.to_ascii_lowercase()),
                // The amount of EIP-681.
                (TagRule::None, "value") if is_number(value) && self.asked.spec().chain_id().is_some() => {}
                _ => return Err(Unclear),
            }
        }
        let memo_type = match types.as_slice() {
            [] => None,
            [one] => Some(one.trim_start_matches("memo_").parse::<MemoType>().map_err(|_| Unclear)?),
            _ => return Err(Unclear),
        };
        let inside = self.account.tag().map(|tag| match self.asked {
            Network::Xrp => Tag::Destination(u32::try_from(tag).unwrap()),
            _ => Tag::MemoId(tag),
        });
        match tags.as_slice() {
            [] if memo_type.is_none() => Ok(inside),
            [one] => {
                let tag = Tag::parse(self.asked, one, memo_type).ok().flatten().ok_or(Unclear)?;
                if inside.is_none_or(|inside| inside == tag) { Ok(Some(tag)) } else { Err(Unclear) }
            }
            _ => Err(Unclear),
        }
    }
}

fn is_number(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E'))
}

fn encode(text: &str, which: u64) -> String {
    let byte = |(at, byte): (usize, u8)| match byte {
        b'_' => "_".to_owned(),
        _ if byte.is_ascii_alphanumeric() && which >> (at % 16) & 1 == 0 => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().enumerate().map(byte).collect()
}

/// An account with or without a tag inside.
fn account(network: Network) -> impl Strategy<Value = Address> {
    let known = addresses(network).into_iter().filter(|case| case.valid);
    let known: Vec<Address> =
        known.map(|case| Address::parse(network, &case.address).unwrap().account()).collect();
    (select(known), prop::option::weighted(0.2, any::<u32>()))
        .prop_map(|(account, tag)| tag.and_then(|tag| account.with_tag(u64::from(tag))).unwrap_or(account))
}

fn start(asked: Network) -> impl Strategy<Value = (String, Option<Network>)> {
    let own: Vec<_> = NAMES.iter().filter(|row| row.1 == asked).collect();
    let named = |row: &(&str, Network)| (row.0.to_owned(), Some(row.1));
    prop_oneof![
        4 => Just((String::new(), Some(asked))),
        4 => select(own).prop_map(named),
        1 => select(NAMES).prop_map(move |row| named(&row)),
        1 => select(NAMES).prop_map(move |row| (row.0.to_ascii_uppercase(), Some(row.1))),
        1 => select(OTHER_STARTS).prop_map(|start| (start.to_owned(), None)),
    ]
}

fn parameter(asked: Network) -> impl Strategy<Value = Parameter> {
    let usual: &[&str] = match asked.spec().tag {
        TagRule::None => &["amount", "label", "message"],
        TagRule::DestinationTag => &["dt", "tag", "destinationTag", "amount"],
        TagRule::Memo | TagRule::TextMemo => &["memo", "memo", "memo_type", "memoType", "amount"],
    };
    let key = prop_oneof![5 => select(usual), 1 => select(KEYS)];
    let number = any::<u32>().prop_map(|tag| tag.to_string());
    let value = prop_oneof![1 => select(VALUES).prop_map(str::to_owned), 2 => number];
    let encoded = prop_oneof![2 => Just(1_u64), 1 => any::<u64>()];
    let separator = select(&["&", "&", ";", "&amp;", "?"][..]);
    (key, value, select(TYPES), separator, encoded, any::<bool>()).prop_map(
        |(key, value, memo_type, separator, encoded, capital)| {
            let value =
                if key.starts_with("memo") && key.ends_with("ype") { memo_type.to_owned() } else { value };
            let key = if capital { key.to_ascii_uppercase() } else { key.to_owned() };
            Parameter { key, value, separator, encoded }
        },
    )
}

fn chain_id(asked: Network) -> impl Strategy<Value = Option<(u64, Option<Network>)>> {
    let ids: Vec<_> = Network::ALL
        .iter()
        .filter_map(|network| Some((network.spec().chain_id()?, Some(*network))))
        .collect();
    let own = asked.spec().chain_id();
    let other = prop_oneof![3 => select(ids), 1 => Just((100, None))];
    (any::<Index>(), other).prop_map(move |(kind, other)| match (kind.index(8), own) {
        (0, _) => Some(other),
        (1 | 2, Some(own)) => Some((own, Some(asked))),
        _ => None,
    })
}

fn pasted() -> impl Strategy<Value = Pasted> {
    // Those with tags more often.
    let asked = prop_oneof![select(Network::ALL), Just(Network::Xrp), Just(Network::Xlm)];
    let of_asked = |asked| {
        let of = prop_oneof![15 => Just(asked), 1 => select(Network::ALL)].prop_flat_map(account);
        let parameters = prop::collection::vec(parameter(asked), 0..3);
        let end = prop_oneof![5 => Just(""), 1 => select(ENDS)];
        let beside = prop_oneof![4 => Just(None), 1 => select(&["", "7", "495", "hello"][..]).prop_map(Some)];
        (Just(asked), of, start(asked), chain_id(asked), parameters, end, beside)
    };
    asked.prop_flat_map(of_asked).prop_map(
        |(asked, account, mut start, mut chain_id, parameters, end, beside)| {
            // EIP-681: the chain id decides.
            if start.0.eq_ignore_ascii_case("ethereum:")
                && asked.spec().chain_id().is_some()
                && chain_id.is_some()
            {
                start.1 = Some(asked);
            }
            if account.network() == Network::Bch && start.0.is_empty() {
                start.1 = Some(Network::Bch);
            }
            if start.0.is_empty() && start.1 != Some(asked) {
                chain_id = None;
            }
            Pasted { asked, account, start, chain_id, parameters, end, beside }
        },
    )
}

#[test]
fn a_suggestion_keeps_account_tag_and_network() {
    let (suggested, tagged) = (Cell::new(0_u32), Cell::new(0_u32));
    let config = Config { cases: 4096, failure_persistence: None, ..Config::default() };
    let cases = config.cases;
    let result = TestRunner::new(config).run(&pasted(), |pasted| {
        let (text, currency) = (pasted.text(), pair(pasted.asked).currency.code());
        if text.trim() == pasted.account.to_string() {
            return Ok(());
        }
        let network = pasted.asked.code();
        let verdict = validate_with(currency, network, &text, pasted.beside, &Options::STRICT);
        let error = Address::parse(pasted.asked, &text);
        let Some(suggestion) = verdict.suggestion.as_deref() else {
            let is_address = pasted.account.to_string().eq_ignore_ascii_case(text.trim());
            prop_assert!(is_address || !verdict.valid, "{}", &text);
            prop_assert!(
                is_address || pasted.beside.is_some() || error.unwrap_err().suggestion().is_none(),
                "{}",
                &text
            );
            return Ok(());
        };
        let Ok(meant) = pasted.meant() else {
            return Err(TestCaseError::fail(format!("{network} {text:?}: {verdict:?}")));
        };
        let options = Options { memo_type: verdict.memo_type, ..Options::STRICT };
        let again =
            validate_with(currency, network, suggestion, verdict.destination_tag.as_deref(), &options);
        let account = pasted.account.account().to_string();
        prop_assert_eq!(again.normalized, Some(account), "{} {:?}", &text, &verdict);
        prop_assert_eq!(
            again.destination_tag,
            meant.as_ref().map(Tag::to_string),
            "{} {:?}",
            &text,
            &verdict
        );
        prop_assert_eq!(again.memo_type, meant.as_ref().and_then(Tag::memo_type), "{} {:?}", &text, &verdict);
        // The address alone has all of it, too, or is no suggestion.
        if let Some(address) = error.unwrap_err().suggestion() {
            prop_assert_eq!(address.account().to_string(), pasted.account.account().to_string(), "{}", &text);
            let alone = Pasted { beside: None, ..pasted.clone() }.meant().ok().flatten();
            prop_assert_eq!(address.tag(), alone.as_ref().and_then(Tag::number), "{}", &text);
            prop_assert!(alone.is_none_or(|tag| tag.number().is_some()), "{}", &text);
        }
        suggested.set(suggested.get() + 1);
        tagged.set(tagged.get() + u32::from(meant.is_some()));
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let (suggested, tagged) = (suggested.get(), tagged.get());
    assert!(suggested > cases / 10 && tagged > cases / 50, "{suggested} and {tagged} of {cases}");
}
