//! Disputed forms: the decision and its reason.

use crypto_checkout_core::Reason;

use crate::support::{Case, lines};

/// The expected reason of a refusal by policy, and the expected warning of an acceptance.
fn expected(case: &Case) -> (Option<Reason>, Option<&'static str>) {
    let on_test = ["tb1", "bcrt1", "rltc1", "bchreg:"]
        .iter()
        .any(|start| case.address.to_ascii_lowercase().starts_with(start));
    match case.policy.as_deref().unwrap() {
        "bch-token-aware" | "future-witness-program" if on_test => (Some(Reason::TestNetwork), None),
        "bch-legacy-p2sh32-base58" => (Some(Reason::TestNetwork), None),
        "bch-legacy" => (Some(Reason::LegacyFormat), None),
        "bch-prefix-case-mix" => (Some(Reason::MixedCase), None),
        "bch-token-aware" | "xlm-key-not-on-curve" | "xlm-memo-untyped-number" | "tag-empty-string" => {
            (None, None)
        }
        "burn-or-null-address" if case.valid => (None, None),
        "burn-or-null-address" => (Some(Reason::BurnAddress), None),
        "evm-0X-prefix" => (Some(Reason::BadPrefix), None),
        "evm-all-uppercase" => (None, Some("no_checksum")),
        "evm-icap" if case.why == "bad ICAP checksum" => (Some(Reason::BadChecksum), None),
        "evm-icap" => (Some(Reason::IcapForm), None),
        "evm-missing-0x" => (Some(Reason::Missing0x), None),
        "future-witness-program" => (None, Some("future_witness_version")),
        "ltc-legacy-3-p2sh" => (Some(Reason::LegacyPrefix), None),
        "ltc-mweb" => (Some(Reason::MwebUnsupported), None),
        "p2a-anchor" => (Some(Reason::AnyoneCanSpend), None),
        "surrounding-whitespace-base58" => (Some(Reason::SurroundingWhitespace), None),
        "tag-on-chain-without-tags" => (None, Some("tag_ignored")),
        "tag-plus-sign" => (Some(Reason::TagNotDigits), None),
        "trx-hex" => (Some(Reason::HexForm), None),
        "x-address-64bit-tag" => (Some(Reason::UnsupportedTag), None),
        "x-address-network-id-extension" => (Some(Reason::UnknownFlags), None),
        "x-address-reserved-bytes-nonzero" => (Some(Reason::ReservedBits), None),
        "xlm-contract" => (Some(Reason::ContractAddress), None),
        "xlm-federation" => (Some(Reason::NeedsResolution), None),
        "xlm-memo-id-leading-zeros" | "xrp-tag-leading-zeros" => (Some(Reason::TagLeadingZero), None),
        "xlm-muxed-plus-memo" => (Some(Reason::ConflictingMemo), None),
        "xrp-classic-with-dt-query" => (Some(Reason::UriLike), None),
        other => panic!("a policy without a decision: {other}"),
    }
}

#[test]
fn every_disputed_form_is_decided_with_its_reason() {
    for case in lines::<Case>("policy.jsonl") {
        let verdict = case.validate();
        let (reason, warning) = expected(&case);
        assert_eq!(verdict.valid, case.valid, "{case:?} {verdict:?}");
        assert_eq!(verdict.reason, reason, "{case:?} {verdict:?}");
        let warnings: Vec<_> = verdict.warnings.iter().map(|warning| warning.code()).collect();
        assert_eq!(warnings, Vec::from_iter(warning), "{case:?} {verdict:?}");
    }
}

#[test]
fn a_suggestion_is_itself_acceptable() {
    let mut suggested = 0;
    for case in lines::<Case>("policy.jsonl") {
        let verdict = case.validate();
        let Some(suggestion) = &verdict.suggestion else { continue };
        let of_tag = matches!(verdict.reason, Some(Reason::TagNotDigits | Reason::TagLeadingZero));
        let of_address = (suggestion, verdict.destination_tag.as_ref());
        let (address, tag) = if of_tag { (&case.address, Some(suggestion)) } else { of_address };
        let tag = tag.map(String::as_str);
        let again =
            crypto_checkout_core::validate_with(&case.currency, &case.network, address, tag, &case.options());
        assert!(again.valid, "{case:?} {again:?}");
        suggested += 1;
    }
    assert!(suggested >= 40, "{suggested}");
}
