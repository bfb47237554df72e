//! Wallets read links in their own ways. Each family here reads as its documentation or its defect says; none may be led to a
//! token's contract, and each reads all of the link that is made for it.

use crypto_checkout_core::pair::{self, EVERY_PAIR};
use crypto_checkout_core::tag::Tag;
use crypto_checkout_core::{Amount, Network, Pair, chain, uri};

/// The form of a wallet, filled from a link; an empty text for what it does not take from there.
#[derive(Debug, Default, PartialEq, Eq)]
struct Form {
    /// The account that is paid.
    to: String,
    /// In whole coins or atoms, as the link has it.
    amount: String,
    tag: String,
    /// The contract whose tokens are sent.
    token: String,
}

/// `None` if the wallet refuses the text.
type Reader = fn(&str) -> Option<Form>;

fn parameter(text: &str, name: &str) -> String {
    let query = text.split_once('?').map_or("", |(_, query)| query);
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()).next().unwrap_or_default()
}

/// Exchanges, TronLink, the scanner of Uniswap: an address and nothing else.
fn plain(text: &str) -> Option<Form> {
    (!text.contains([':', '?', '/', '@'])).then(|| Form { to: text.to_owned(), ..Form::default() })
}

/// Wallets that know no functions (<https://github.com/MyEtherWallet/MyEtherWallet/issues/3056>): what follows the scheme is paid.
fn ethereum_without_functions(text: &str) -> Option<Form> {
    let rest = text.strip_prefix("ethereum:")?;
    let to = rest.split(['@', '/', '?']).next()?.to_owned();
    Some(Form { to, amount: parameter(text, "value"), ..Form::default() })
}

/// <https://eips.ethereum.org/EIPS/eip-681>
fn ethereum(text: &str) -> Option<Form> {
    let form = ethereum_without_functions(text)?;
    if !text.contains("/transfer?") {
        return Some(form);
    }
    let (to, amount) = (parameter(text, "address"), parameter(text, "uint256"));
    Some(Form { to, amount, token: form.to, ..Form::default() })
}

/// <https://github.com/bitcoin/bips/blob/master/bip-0321.mediawiki>; a CashAddr has the scheme as its prefix.
fn bitcoin(text: &str) -> Option<Form> {
    let (scheme, rest) = text.split_once(':')?;
    ["bitcoin", "litecoin", "bitcoincash", "dogecoin"].contains(&scheme).then(|| {
        let to = rest.split('?').next().unwrap_or_default();
        let to = if to.starts_with("BC1") { to.to_ascii_lowercase() } else { to.to_owned() };
        Form { to, amount: parameter(text, "amount"), ..Form::default() }
    })
}

/// <https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/>
fn metamask(text: &str) -> Option<Form> {
    ethereum(&format!("ethereum:{}", text.strip_prefix("https://link.metamask.io/send/")?))
}

/// <https://developer.trustwallet.com/developer/develop-for-trust/deeplinking>
fn trust(text: &str) -> Option<Form> {
    text.strip_prefix("https://link.trustwallet.com/send?")?;
    let asset = parameter(text, "asset");
    let token = asset.split_once("_t").map_or("", |(_, token)| token).to_owned();
    Some(Form { to: parameter(text, "address"), amount: parameter(text, "amount"), token, ..Form::default() })
}

/// Xaman reads its own links, and parameters after an address.
fn xaman(text: &str) -> Option<Form> {
    let rest = text.strip_prefix("https://xaman.app/detect/request:").unwrap_or(text);
    let to = rest.split('?').next()?.to_owned();
    let form = || Form {
        to: to.clone(),
        amount: parameter(rest, "amount"),
        tag: parameter(rest, "dt"),
        ..Form::default()
    };
    to.starts_with('r').then(form)
}

/// <https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0007.md>
fn stellar(text: &str) -> Option<Form> {
    text.strip_prefix("web+stellar:pay?")?;
    let (to, amount) = (parameter(text, "destination"), parameter(text, "amount"));
    Some(Form { to, amount, tag: parameter(text, "memo"), ..Form::default() })
}

const FAMILIES: [(&str, Reader); 8] = [
    ("plain addresses", plain),
    ("ethereum: without functions", ethereum_without_functions),
    ("ethereum: by ERC-681", ethereum),
    ("bitcoin: and its like", bitcoin),
    ("MetaMask", metamask),
    ("Trust Wallet", trust),
    ("Xaman", xaman),
    ("web+stellar:", stellar),
];

fn tag(pair: &Pair) -> Option<Tag> {
    Tag::parse(pair.network, "7", None).expect("7 is a tag, or none")
}

fn amount(pair: &Pair) -> Amount {
    Amount::parse("1.5", pair.decimals).expect("an amount")
}

/// The account without the prefix of a CashAddr.
fn account(pair: &Pair) -> &'static str {
    let address = chain::spec(pair.network).example;
    address.strip_prefix("bitcoincash:").unwrap_or(address)
}

#[test]
fn no_link_and_no_code_sends_coins_to_a_tokens_contract() {
    for pair in EVERY_PAIR {
        let (address, tag, amount) = (chain::spec(pair.network).example, tag(pair), amount(pair));
        let tag = tag.as_ref();
        let links =
            uri::wallet_links(pair, address, tag, amount).into_iter().map(|link| ("a link", link.url));
        let codes = [
            ("the code", uri::default_qr(pair, address, tag, amount)),
            ("the code without amount", uri::address_only(pair, address, tag)),
        ];
        for (what, text) in links.chain(codes) {
            let mut readers = 0;
            for (family, read) in FAMILIES {
                let Some(form) = read(&text) else { continue };
                readers += 1;
                let at = format!("{what} of {} on {}, read by {family}: {text}", pair.currency, pair.network);
                assert!(!pair::is_token_contract(pair.network, &form.to), "{at}");
                assert_eq!(form.to.trim_start_matches("bitcoincash:"), account(pair), "{at}");
            }
            assert!(readers > 0, "nobody reads {text}");
        }
    }
}

/// The families that each pair's links are made for, with the wallet that alone reads the link.
fn families_of(pair: &Pair) -> &'static [(Reader, Option<&'static str>)] {
    match (pair.network, pair.contract) {
        (Network::Btc | Network::Ltc | Network::Bch | Network::Doge, _) => &[(bitcoin, None)],
        (Network::Trx, _) => &[(trust, Some("Trust Wallet"))],
        (Network::Xrp, _) => &[(xaman, Some("Xaman"))],
        (Network::Xlm, _) => &[(stellar, None)],
        (evm, token) => {
            assert!(evm.spec().chain_id().is_some());
            match token {
                None => &[(metamask, Some("MetaMask")), (ethereum, None)],
                Some(_) => &[(metamask, Some("MetaMask")), (trust, Some("Trust Wallet"))],
            }
        }
    }
}

#[test]
fn the_wallet_that_a_link_is_for_reads_all_of_it() {
    for pair in EVERY_PAIR {
        let links =
            uri::wallet_links(pair, chain::spec(pair.network).example, tag(pair).as_ref(), amount(pair));
        let families = families_of(pair);
        assert_eq!(links.len(), families.len());
        for (link, (read, wallet)) in links.iter().zip(families) {
            let url = &link.url;
            let form = read(url).unwrap_or_else(|| panic!("its wallet refuses {url}"));
            let is_in_atoms = url.contains('@');
            let amount = if is_in_atoms { amount(pair).atoms().to_string() } else { "1.5".to_owned() };
            let tag = tag(pair).map(|tag| tag.to_string()).unwrap_or_default();
            let token = pair.contract.unwrap_or_default().to_owned();
            assert_eq!(form, Form { to: account(pair).to_owned(), amount, tag, token }, "{url}");
            assert_eq!(link.wallet, *wallet, "{url}");
        }
    }
}

/// <https://developer.trustwallet.com/developer/new-asset/universal_asset_id>
#[test]
fn trust_wallet_is_told_the_chain_of_a_token() {
    let chains = [
        (Network::Eth, "c60_t0x"),
        (Network::Bsc, "c20000714_t0x"),
        (Network::Trx, "c195_tT"),
        (Network::Polygon, "c966_t0x"),
        (Network::Base, "c8453_t0x"),
        (Network::Arbitrum, "c10042221_t0x"),
    ];
    let tokens: Vec<&Pair> = EVERY_PAIR.iter().filter(|pair| pair.contract.is_some()).collect();
    assert_eq!(tokens.len(), 13, "six on Ethereum and BNB Smart Chain, five beyond the interface");
    for pair in tokens {
        let links = uri::wallet_links(pair, chain::spec(pair.network).example, None, amount(pair));
        let link = links.iter().find(|link| link.wallet == Some("Trust Wallet")).expect("tokens have one");
        let (_, start) = chains.iter().find(|(network, _)| *network == pair.network).expect("a row");
        assert!(link.url.contains(&format!("asset={start}")), "{}", link.url);
    }
}
