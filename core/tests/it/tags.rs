//! Tags and memos given separately, embedded in, or appended to an address.

use crypto_checkout_core::tag::{self, MemoType, Tag};
use crypto_checkout_core::{Address, Network, Options, Reason, validate, validate_with};

#[track_caller]
fn check(
    network: Network,
    text: &str,
    memo_type: Option<MemoType>,
    expected: Result<&str, (Reason, Option<&str>)>,
) {
    let result = Tag::parse(network, text, memo_type).map(|tag| tag.unwrap().to_string());
    let result = result.map_err(|error| (error.reason(), error.suggestion().map(Tag::to_string)));
    let expected = expected.map(String::from).map_err(|(reason, text)| (reason, text.map(String::from)));
    assert_eq!(result, expected, "{text:?}");
}

#[test]
fn a_destination_tag_is_a_canonical_u32() {
    use Reason::{TagLeadingZero, TagNotDigits, TagTooLarge};
    let check = |text: &str, expected| check(Network::Xrp, text, None, expected);
    check("0", Ok("0"));
    check("4294967295", Ok("4294967295"));
    check("4294967296", Err((TagTooLarge, None)));
    check("99999999999999999999999999", Err((TagTooLarge, None)));
    check(&"1".repeat(1_000_000), Err((TagTooLarge, None)));
    check(&"x".repeat(1_000_000), Err((TagTooLarge, None)));
    check("00", Err((TagLeadingZero, Some("0"))));
    check("007", Err((TagLeadingZero, Some("7"))));
    check("+1", Err((TagNotDigits, Some("1"))));
    check(" 12 ", Err((TagNotDigits, Some("12"))));
    check("04294967296", Err((TagLeadingZero, None)));
    for text in ["-1", "-0", "1.0", "1e3", "1,000", "0x10", "12a", "null", "١٢", "1\u{200b}", "+", "++1", " "]
    {
        check(text, Err((TagNotDigits, None)));
    }
}

#[test]
fn a_memo_type_is_inferred_if_absent() {
    let kind = |text: &str| Tag::parse(Network::Xlm, text, None).map(|tag| tag.unwrap().memo_type().unwrap());
    assert_eq!(kind("0"), Ok(MemoType::Id));
    assert_eq!(kind("18446744073709551615"), Ok(MemoType::Id));
    assert_eq!(kind("18446744073709551616"), Ok(MemoType::Text));
    assert_eq!(kind("007"), Ok(MemoType::Text));
    assert_eq!(kind("order 1"), Ok(MemoType::Text));
    assert_eq!(kind(&"é".repeat(14)), Ok(MemoType::Text));
    assert_eq!(kind(&"é".repeat(15)).unwrap_err().reason(), Reason::MemoTooLong);
}

/// … whatever its type would be on Stellar.
#[test]
fn a_memo_of_cosmos_or_ton_is_kept_as_it_is() {
    for network in [Network::Atom, Network::Ton] {
        let (code, account) = (network.code(), network.spec().example);
        for memo_type in [None].into_iter().chain(MemoType::ALL.iter().copied().map(Some)) {
            for text in ["7", "007", "order 1", " ", &"é".repeat(127), "18446744073709551616"] {
                check(network, text, memo_type, Ok(text));
                let options = Options { memo_type, ..Options::STRICT };
                let verdict = validate_with(code, code, account, Some(text), &options);
                assert_eq!(verdict.destination_tag.as_deref(), Some(text));
                assert_eq!((verdict.memo_type, verdict.warnings), (Some(MemoType::Text), vec![]));
            }
        }
        check(network, &"x".repeat(255), None, Ok(&"x".repeat(255)));
        check(network, &"x".repeat(256), None, Err((Reason::MemoTooLong, None)));
    }
}

/// A suggestion without it would send coins to nobody's account at an exchange.
#[test]
fn a_memo_inside_a_link_is_not_lost() {
    for (parameters, expected) in [
        ("?memo=7", Reason::TagInside),
        ("?amount=1&memo=7", Reason::TagInside),
        ("?dt=7", Reason::TagInside),
        (":7", Reason::TagInside),
        ("?amount=1", Reason::UriLike),
    ] {
        let text = format!("{}{parameters}", Network::Atom.spec().example);
        let error = Address::parse(Network::Atom, &text).unwrap_err();
        let is_suggested = error.suggestion().is_some();
        assert_eq!((error.reason(), is_suggested), (expected, expected == Reason::UriLike), "{text}");
    }
}

#[test]
fn a_memo_hash_is_read_in_both_forms_and_written_in_one() {
    let hash = "ababababababababababababababababababababababababababababababab01";
    check(Network::Xlm, hash, Some(MemoType::Hash), Ok(hash));
    check(Network::Xlm, &hash.to_ascii_uppercase(), Some(MemoType::Hash), Ok(hash));
    check(Network::Xlm, "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urqwE=", Some(MemoType::Hash), Ok(hash));
    for text in [&hash[2..], "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urqwE", "g"] {
        check(Network::Xlm, text, Some(MemoType::Hash), Err((Reason::MemoNotHash, None)));
    }
}

#[test]
fn an_empty_tag_is_no_tag() {
    for network in Network::ALL {
        assert_eq!(Tag::parse(*network, "", None), Ok(None));
    }
    assert_eq!(Tag::parse(Network::Btc, "1", None), Ok(None));
    assert_eq!(Tag::parse(Network::Xrp, "", Some(MemoType::Id)), Ok(None), "has no memo types");
}

#[test]
fn an_empty_memo_of_a_named_type_is_not_no_memo() {
    let account = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
    let muxed = "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAAGZFQ";
    for memo_type in MemoType::ALL {
        check(Network::Xlm, "", Some(*memo_type), Err((Reason::MemoEmpty, None)));
        let options = Options { memo_type: Some(*memo_type), ..Options::STRICT };
        let reason = |address, tag| validate_with("XLM", "XLM", address, tag, &options).reason;
        assert_eq!(reason(account, Some("")), Some(Reason::MemoEmpty), "{memo_type:?}");
        assert_eq!(reason(muxed, Some("")), Some(Reason::MemoEmpty), "{memo_type:?}");
        assert_eq!(reason(account, None), None, "no memo was given");
        assert_eq!(reason(muxed, None), None, "no memo was given");
    }
}

#[test]
fn embedded_and_separate_tags_must_agree() {
    let with_tag_1 = "XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC";
    let tag = |address, tag| {
        let verdict = validate("XRP", "XRP", address, Some(tag));
        verdict.destination_tag.ok_or(verdict.reason)
    };
    assert_eq!(tag(with_tag_1, ""), Ok("1".into()));
    assert_eq!(tag(with_tag_1, "1"), Ok("1".into()));
    assert_eq!(tag(with_tag_1, "2"), Err(Some(Reason::ConflictingTag)));
    assert_eq!(tag(with_tag_1, "0"), Err(Some(Reason::ConflictingTag)));
    assert_eq!(tag(with_tag_1, "12x"), Err(Some(Reason::TagNotDigits)));
}

/// As `xrpl.js` has it: the address says that there is no tag.
#[test]
fn an_x_address_without_a_tag_takes_none_beside_it() {
    let without = "X7YenJqxv3L66CwhBSfd3N8RzGXxYqPopMGMsCcpho79rex";
    for (beside, reason) in [
        ("", None),
        ("0", Some(Reason::ConflictingTag)),
        ("7", Some(Reason::ConflictingTag)),
        ("007", Some(Reason::ConflictingTag)),
        ("12x", Some(Reason::TagNotDigits)),
    ] {
        let verdict = validate("XRP", "XRP", without, Some(beside));
        assert_eq!((verdict.valid, verdict.reason), (reason.is_none(), reason), "{beside}");
        assert_eq!((verdict.destination_tag, verdict.suggestion), (None, None), "{beside}");
    }
}

/// A tag in the wrong form is suggested in the right one only if it equals the embedded tag.
#[test]
fn no_suggestion_contradicts_the_embedded_tag() {
    let with_tag_1 = "XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC";
    for (beside, reason, suggestion) in [
        ("01", Reason::TagLeadingZero, Some("1")),
        (" 1", Reason::TagNotDigits, Some("1")),
        ("012", Reason::ConflictingTag, None),
        ("+2", Reason::ConflictingTag, None),
    ] {
        let verdict = validate("XRP", "XRP", with_tag_1, Some(beside));
        assert_eq!((verdict.reason, verdict.suggestion.as_deref()), (Some(reason), suggestion), "{beside}");
    }
}

#[test]
fn a_muxed_account_takes_no_memo_not_even_its_own() {
    let muxed = "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAAGZFQ";
    assert_eq!(validate("XLM", "XLM", muxed, Some("")).destination_tag.as_deref(), Some("1"));
    for memo in ["1", "2", "01", "order", "longer than any memo of Stellar is"] {
        assert_eq!(validate("XLM", "XLM", muxed, Some(memo)).reason, Some(Reason::ConflictingMemo));
    }
}

#[test]
fn the_verdict_has_the_memo_type() {
    let account = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
    let memo_type = |tag, memo_type| {
        let options = Options { memo_type, ..Options::STRICT };
        validate_with("XLM", "XLM", account, Some(tag), &options).memo_type
    };
    assert_eq!(memo_type("12", None), Some(MemoType::Id));
    assert_eq!(memo_type("12", Some(MemoType::Text)), Some(MemoType::Text));
    assert_eq!(memo_type("order", None), Some(MemoType::Text));
    assert_eq!(memo_type("order", Some(MemoType::Id)), None);
    assert_eq!(memo_type("", None), None);
}

#[test]
fn an_account_and_its_tag_are_joined_and_split() {
    let joined = |network, account, tag| Address::parse(network, account).unwrap().with_tag(tag);
    let text = |address: Option<Address>| address.map(|address| address.to_string());
    // XLS-5 and SEP-23 vectors.
    let classic = "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf";
    let x = joined(Network::Xrp, classic, 4_294_967_294);
    assert_eq!(text(x).as_deref(), Some("XVLhHMPHU98es4dbozjVtdWzVrDjtV1kAsixQTdMjbWi39u"));
    assert_eq!(text(x.map(|x| x.account())).as_deref(), Some(classic));
    assert_eq!(joined(Network::Xrp, classic, 1 << 32), None);
    assert_eq!(x.unwrap().with_tag(1), None);

    let account = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
    let muxed = joined(Network::Xlm, account, u64::MAX);
    assert_eq!(
        text(muxed).as_deref(),
        Some("MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJV7777777777775ZO4")
    );
    assert_eq!(text(muxed.map(|muxed| muxed.account())).as_deref(), Some(account));
    assert_eq!(joined(Network::Trx, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", 1), None);
}

#[test]
fn dt_is_split_and_joined() {
    let address = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
    for (tag, text) in [
        (None, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"),
        (Some("7"), "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=7"),
        (Some("a&b=é?"), "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=a%26b%3D%C3%A9%3F"),
    ] {
        assert_eq!(tag::join(address, tag), text);
        assert_eq!(tag::split(text), Ok((address, tag.map(String::from))));
    }
    assert_eq!(tag::join(address, Some("")), address);
    assert_eq!(tag::split("r?dt="), Ok(("r", None)));
    for text in ["r?", "r?tag=1", "r?dt=1&dt=1", "r?dt=1&amount=2", "r?dt=%", "r?dt=1?dt=2&"] {
        let expected =
            if text == "r?dt=1?dt=2&" { Ok(("r", Some("1?dt=2".into()))) } else { Err(Reason::UriLike) };
        assert_eq!(tag::split(text).map_err(|error| error.reason()), expected, "{text}");
    }
}
