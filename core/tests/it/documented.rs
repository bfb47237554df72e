//! Compares docs/validation.md with the code: it lists every code, no unknown code, and every example has the
//! stated result.

use std::collections::BTreeSet;
use std::fs;

use crypto_checkout_core::address::Kind;
use crypto_checkout_core::pair::{EVERY_PAIR, Pair};
use crypto_checkout_core::tag::{MemoType, Tag};
use crypto_checkout_core::{
    Amount, Network, Options, Reason, Table, Verdict, Warning, chain, uri, validate::validate_with,
};

use crate::options::ALONE;
use crate::pasted;
use crate::support::path;

/// The table cells below a heading, up to the next one.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(path("../../../docs/validation.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("{heading}"));
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).map(|line| {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    });
    // The header, and the line below it.
    let rows: Vec<_> = rows.skip(2).collect();
    assert!(!rows.is_empty(), "{heading}");
    rows
}

/// The texts between backquotes.
fn codes(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[track_caller]
fn same<'a>(documented: impl IntoIterator<Item = &'a str>, ours: impl IntoIterator<Item = &'a str>) {
    let documented: Vec<&str> = documented.into_iter().collect();
    let set: BTreeSet<&str> = documented.iter().copied().collect();
    assert_eq!(set.len(), documented.len(), "twice: {documented:?}");
    assert_eq!(set, ours.into_iter().collect());
}

fn option(name: &str) -> Options {
    ALONE.iter().find(|row| row.0 == name).unwrap_or_else(|| panic!("{name} is no option")).1
}

/// `NETWORK address tag`, then an option or a memo type. `␣` is a blank, `x{217}` is 217 letters.
fn ask(example: &str) -> Verdict {
    let spans = codes(example);
    let (text, words) = spans.split_first().unwrap();
    let mut options = Options::STRICT;
    for word in words {
        match word.parse::<MemoType>() {
            Ok(memo_type) => options.memo_type = Some(memo_type),
            Err(_) => options = option(word),
        }
    }
    let mut parts = text.split(' ');
    let network: Network = parts.next().unwrap().parse().unwrap();
    let currency = Table::All.pairs().iter().find(|pair| pair.network == network).unwrap().currency;
    let mut next = || parts.next().unwrap_or_default().replace('␣', " ");
    let (address, tag) = (next().replace("x{217}", &"x".repeat(217)), next());
    validate_with(currency.code(), network.code(), &address, Some(&tag), &options)
}

#[test]
fn every_reason_is_documented_with_an_example() {
    let rows = rows("Reasons");
    same(rows.iter().map(|row| codes(&row[0])[0]), Reason::ALL.iter().map(|reason| reason.code()));
    for row in &rows {
        let verdict = ask(&row[2]);
        assert_eq!(verdict.reason.map(Reason::code), Some(codes(&row[0])[0]), "{row:?}");
    }
}

#[test]
fn every_warning_is_documented_with_an_example() {
    let rows = rows("Warnings");
    same(rows.iter().map(|row| codes(&row[0])[0]), Warning::ALL.iter().map(|warning| warning.code()));
    for row in &rows {
        let verdict = ask(&row[2]);
        assert!(verdict.valid, "{row:?}");
        assert_eq!(
            verdict.warnings.iter().map(|warning| warning.code()).collect::<Vec<_>>(),
            [codes(&row[0])[0]]
        );
    }
}

#[test]
fn every_form_is_documented_with_an_example() {
    let accepted = rows("Accepted forms");
    for row in &accepted {
        let verdict = ask(&row[2]);
        let normal = verdict.normalized.as_deref();
        assert_eq!(verdict.kind.map(Kind::code), Some(codes(&row[1])[0]), "{row:?} {verdict:?}");
        // The normal form is shown only if it differs.
        let text = codes(&row[2])[0].split(' ').nth(1).unwrap();
        match codes(&row[3])[..] {
            [expected, ..] => assert_eq!(normal, Some(expected), "{row:?}"),
            [] => assert_eq!(normal, Some(text), "{row:?}"),
        }
    }
    let kinds: BTreeSet<&str> = accepted.iter().map(|row| codes(&row[1])[0]).collect();
    assert_eq!(kinds, Kind::ALL.iter().map(|kind| kind.code()).collect());
    let networks: BTreeSet<&str> = accepted.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(networks, Network::ALL.iter().map(|network| network.code()).collect());
}

#[test]
fn every_option_is_documented_with_its_effect() {
    let rows = rows("Options");
    let fields = format!("{:?}", Options::STRICT);
    let fields = fields.trim_start_matches("Options {").trim_end_matches('}').split(',');
    let fields: Vec<&str> = fields.filter_map(|field| Some(field.split_once(':')?.0.trim())).collect();
    same(rows.iter().map(|row| codes(&row[0])[0]), fields);
    for row in &rows {
        let name = codes(&row[0])[0];
        if ["memo_type", "table"].contains(&name) {
            continue;
        }
        let (strict, with) = (ask(&row[2]), ask(&format!("{} `{name}`", row[2])));
        let allows = name.starts_with("allow_");
        assert_eq!((strict.valid, with.valid), (!allows, allows), "{row:?}");
        let refused = if allows { &strict } else { &with };
        assert_eq!(refused.reason.map(Reason::code), Some(codes(&row[1])[0]), "{row:?}");
    }
}

/// The texts in the code of a file of `src`.
fn texts(file: &str) -> Vec<String> {
    let source = fs::read_to_string(path("../../src").join(file)).unwrap();
    let code: Vec<&str> = source.lines().filter(|line| !line.trim().starts_with(['/', '#'])).collect();
    code.join("\n").split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Each prefix before the example of its network, asked as an address of each network.
#[test]
fn every_name_of_a_network_is_documented() {
    let rows = rows("Pasted texts");
    let mut documented = BTreeSet::new();
    for row in &rows {
        let named = row[0].parse::<Network>().ok();
        assert_eq!(named.is_none(), row[0] == "another", "{row:?}");
        for start in codes(&row[1]) {
            assert!(documented.insert(start), "twice: {start}");
            for asked in Network::ALL {
                let account = named.unwrap_or(*asked).spec().example;
                let account = account.strip_prefix("bitcoincash:").unwrap_or(account);
                let verdict = pasted::ask(*asked, &format!("{start}{account}?amount=1"));
                let expected = if named == Some(*asked) { Reason::UriLike } else { Reason::WrongNetwork };
                assert_eq!(verdict.reason, Some(expected), "{asked} {start}");
                let looks_like = named.filter(|named| named != asked);
                assert_eq!(verdict.looks_like, looks_like, "{asked} {start}");
                assert_eq!(verdict.suggestion.is_some(), named == Some(*asked), "{asked} {start}");
            }
        }
    }
    for text in texts("uri/names.rs") {
        let is_part = |start: &&str| start.split([':', '?']).any(|part| part == text) || **start == text;
        assert!(documented.iter().any(is_part), "{text} is not documented");
    }
    for (start, _) in pasted::NAMES {
        assert!(documented.contains(start), "{start} is not documented");
    }
}

#[test]
fn every_parameter_is_documented_with_its_meaning() {
    let rows = rows("Parameters of pasted texts");
    let networks = |on: &str| if on == "all" { Network::ALL.to_vec() } else { vec![on.parse().unwrap()] };
    for row in &rows {
        for (network, name) in networks(&row[0])
            .into_iter()
            .flat_map(|on| codes(&row[1]).into_iter().map(move |name| (on, name)))
        {
            let example = network.spec().example;
            let ask = |parameters: &str| pasted::ask(network, &format!("{example}?{parameters}"));
            let name = if name.contains('=') { name.to_owned() } else { format!("{name}=7") };
            match row[2].split([':', ',']).next().unwrap() {
                "tag" => assert_eq!(ask(&name).destination_tag.as_deref(), Some("7"), "{row:?}"),
                "harmless" => {
                    let verdict = ask(&name);
                    assert_eq!(
                        (verdict.suggestion.as_deref(), verdict.destination_tag),
                        (Some(example), None),
                        "{row:?}"
                    );
                }
                "type" => {
                    for code in codes(&row[2]) {
                        let told = code.to_ascii_lowercase().trim_start_matches("memo_").parse().unwrap();
                        let memo = if told == MemoType::Hash { "A".repeat(43) + "=" } else { "7".to_owned() };
                        let verdict = ask(&format!("memo={memo}&{}", name.replace('7', code)));
                        assert_eq!(verdict.memo_type, Some(told), "{code} {verdict:?}");
                    }
                }
                "account" => {
                    let usdt = "ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?";
                    let (currency, call) =
                        if network == Network::Xlm { ("XLM", "web+stellar:pay?") } else { ("USDT", usdt) };
                    let text = format!("{call}{}", name.replace('7', example));
                    let verdict = validate_with(currency, network.code(), &text, None, &Options::STRICT);
                    assert_eq!(verdict.suggestion.as_deref(), Some(example), "{row:?}");
                }
                other => panic!("{other}"),
            }
        }
    }
    let documented: BTreeSet<String> = rows
        .iter()
        .flat_map(|row| codes(&row[1]))
        .map(|name| name.to_ascii_lowercase().replace('_', ""))
        .collect();
    for text in texts("uri/parameters.rs") {
        let text = text.to_ascii_lowercase();
        assert!(
            documented.iter().any(|name| name.split('=').any(|part| part == text)),
            "{text} is not documented"
        );
    }
}

#[test]
fn every_link_is_documented_in_its_written_form() {
    let cell = |text: String| format!("`{text}`");
    let row = |pair: &Pair| {
        let tag = Tag::parse(pair.network, "7", None).unwrap();
        let (address, tag) = (chain::spec(pair.network).example, tag.as_ref());
        let amount = Amount::parse("1.5", pair.decimals).unwrap();
        let (uri, qr) =
            (uri::payment_uri(pair, address, tag, Some(amount)), uri::default_qr(pair, address, tag, amount));
        let qr = if qr == uri { "the same".to_owned() } else { cell(qr) };
        vec![format!("{} on {}", pair.currency.code(), pair.network.code()), cell(uri), qr]
    };
    let documented: Vec<Vec<String>> =
        rows("Payment links").into_iter().map(|row| row[..3].to_vec()).collect();
    let shown = ["BTC", "BCH", "LTC", "ETH", "USDT", "XRP", "XLM", "DOGE"];
    let is_like_ethereum = |network: Network| network != Network::Eth && network.spec().chain_id().is_some();
    let expected: Vec<_> = EVERY_PAIR
        .iter()
        .filter(|pair| shown.contains(&pair.currency.code()) && !is_like_ethereum(pair.network))
        .map(row)
        .collect();
    assert_eq!(documented, expected);
}
