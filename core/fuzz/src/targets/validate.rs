use crypto_checkout_core::tag::MemoType;
use crypto_checkout_core::{Address, Network, Options, Reason, Verdict, validate_with};

use super::address;
use crate::seeds;

/// `<currency> <network> <memo type or -> <options>`, the address and the tag, one per line.
pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let (address, tag) = rest.rsplit_once('\n').unwrap_or((rest, ""));
    let mut words = head.split(' ');
    let (currency, network) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let memo_type = words.next().and_then(|word| word.parse::<MemoType>().ok());
    let mut options = address::options(words.next().and_then(|word| word.parse().ok()).unwrap_or(0));
    options.memo_type = memo_type;

    let verdict = validate_with(currency, network, address, Some(tag), &options);
    assert_eq!(validate_with(currency, network, address, Some(tag), &options), verdict);
    serde_json::to_string(&verdict).expect("a verdict of texts is JSON");
    if !verdict.supported {
        assert_eq!(verdict, Verdict::default());
        return;
    }
    let network: Network = network.parse().expect("a supported pair is of a known network");
    assert_eq!(verdict.valid, verdict.reason.is_none());
    assert_eq!(verdict.valid, verdict.normalized.is_some());
    assert!(verdict.positions.iter().all(|at| *at < address.len()));
    assert!(verdict.positions.is_sorted());
    assert!(verdict.valid || verdict.warnings.is_empty());
    if verdict.valid {
        let parsed = Address::parse_with(network, address, &options).expect("it is valid");
        assert_eq!(verdict.normalized, Some(parsed.account().to_string()));
        accepted(currency, network, &options, &verdict);
    } else {
        refused(currency, network, &options, address, &verdict);
    }
}

/// The normal form of address and tag gives the same verdict again.
fn accepted(currency: &str, network: Network, options: &Options, verdict: &Verdict) {
    let normalized = verdict.normalized.as_deref().expect("valid");
    let mut options = *options;
    options.memo_type = verdict.memo_type;
    let again =
        validate_with(currency, network.code(), normalized, verdict.destination_tag.as_deref(), &options);
    assert!(again.valid, "{again:?}");
    assert_eq!(again.normalized, verdict.normalized);
    assert_eq!(again.destination_tag, verdict.destination_tag);
    assert_eq!(again.memo_type, verdict.memo_type);
    assert_eq!(again.suggestion, None);
}

fn refused(currency: &str, network: Network, options: &Options, address: &str, verdict: &Verdict) {
    let reason = verdict.reason.expect("not valid");
    if let Some(suggestion) = &verdict.suggestion {
        let of_tag = matches!(reason, Reason::TagNotDigits | Reason::TagLeadingZero);
        let (address, tag) = if of_tag {
            (address, Some(suggestion.as_str()))
        } else {
            (suggestion.as_str(), verdict.destination_tag.as_deref())
        };
        let memo_type = verdict.memo_type.or(options.memo_type);
        let again = validate_with(currency, network.code(), address, tag, &Options { memo_type, ..*options });
        assert!(again.valid, "{verdict:?} {again:?}");
    }
    if let Some(other) = verdict.looks_like {
        let currency = other.spec().pairs[0].currency;
        let other = validate_with(currency.code(), other.code(), address, None, &Options::STRICT);
        let blanks = reason == Reason::SurroundingWhitespace || options.allow_surrounding_blanks;
        assert!(other.valid || blanks || super::address::names_network(address), "{verdict:?}");
    }
    if reason == Reason::Secret {
        let bare = serde_json::to_string(verdict).expect("JSON");
        assert_eq!(bare, r#"{"valid":false,"supported":true,"reason":"secret"}"#);
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let seed = |vector: &seeds::Vector, flags: u16| {
        let seeds::Vector { currency, network, address, tag, memo_type } = vector;
        let (memo_type, tag) = (memo_type.as_deref().unwrap_or("-"), tag.as_deref().unwrap_or_default());
        format!("{currency} {network} {memo_type} {flags}\n{address}\n{tag}").into_bytes()
    };
    let vectors = seeds::vectors();
    [0, address::LAX].iter().flat_map(|flags| vectors.iter().map(|vector| seed(vector, *flags))).collect()
}
