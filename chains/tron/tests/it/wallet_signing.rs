//! What a payer's wallet signs.

use checkout_chain_doubles::Fault;
use checkout_chain_doubles::trongrid::chain::{INTERVAL, USDT};
use checkout_chain_tron::transaction::{Any, Raw, TriggerSmartContract};
use checkout_chain_tron::{Key, account, tokens};
use checkout_core::{Amount, Currency, Network, browser_wallet, pair};
use checkout_domain::ports::Chain as _;
use checkout_domain::ports::wallet_signing::{Sending, Unsigned, WalletSigning, WalletTransfer};
use prost::Message as _;
use sha2::{Digest as _, Sha256};

use super::{OURS, World, hex, key};

const AMOUNT: u128 = 25_000_000;

fn transfer(amount: u128) -> WalletTransfer {
    let pair = pair::find(Currency::Usdt, Network::Trx).unwrap();
    WalletTransfer { pair, to: OURS.to_owned(), amount: Amount::from_atoms(amount).unwrap(), deposits: 0 }
}

/// The payer has 50 USDT and 100 TRX.
async fn world() -> World {
    let world = World::new().await;
    let payer = account::to_hex(key().account());
    world.server.chain().fund(&payer, 100_000_000);
    world.server.chain().give(&payer, USDT, 50_000_000);
    world
}

impl World {
    fn signing(&self) -> &dyn WalletSigning {
        self.watched.chain.wallet_signing().unwrap()
    }

    async fn unsigned(&self, transfer: &WalletTransfer) -> Unsigned {
        self.signing().unsigned(transfer, &account::to_text(key().account())).await.unwrap()
    }

    async fn bytes(&self, transfer: &WalletTransfer) -> Vec<u8> {
        match self.unsigned(transfer).await {
            Unsigned::Bytes(bytes) => bytes,
            other => panic!("it can pay: {other:?}"),
        }
    }

    fn received(&self) -> u128 {
        self.server.chain().token(&hex(OURS), USDT)
    }
}

fn signature(key: &Key, unsigned: &[u8]) -> Vec<u8> {
    key.sign(&Sha256::digest(unsigned).into()).to_vec()
}

/// The wallet loses its answer, the page is loaded again, another replica writes the transaction: the network takes it once.
#[tokio::test]
async fn what_is_signed_twice_is_paid_once() {
    let world = world().await;
    let first = world.bytes(&transfer(AMOUNT)).await;
    world.server.chain().pass(60_000);
    let again = world.bytes(&transfer(AMOUNT)).await;
    assert_eq!(first, again, "for some minutes it is the same");
    let signature = signature(&key(), &first);
    for _ in 0..2 {
        let sent = world.signing().send(&transfer(AMOUNT), &first, &signature).await.unwrap();
        assert_eq!(sent, Sending::Sent);
        world.server.chain().close();
    }
    assert_eq!(world.received(), AMOUNT);

    // What the payment asks for after a deposit is another transfer, also if it is as much.
    let next = WalletTransfer { deposits: 1, ..transfer(AMOUNT) };
    assert_ne!(world.bytes(&next).await, first);
}

/// A payer who signed at the end of five minutes loads the page again before the payment has the deposit.
#[tokio::test]
async fn what_the_network_has_is_signed_again_in_the_next_minutes() {
    for is_refused in [false, true] {
        let world = world().await;
        world.server.chain().pass(100 * INTERVAL);
        let first = world.bytes(&transfer(AMOUNT)).await;
        world.server.chain().pass(100 * INTERVAL);
        let second = world.bytes(&transfer(AMOUNT)).await;
        assert_ne!(second, first, "it was not sent");
        let signature = signature(&key(), &first);
        assert_eq!(world.signing().send(&transfer(AMOUNT), &first, &signature).await.unwrap(), Sending::Sent);
        assert_eq!(world.bytes(&transfer(AMOUNT)).await, first, "it waits for a block");
        if is_refused {
            world.server.chain().blocked.insert(hex(OURS));
        }
        world.server.chain().produce();
        world.server.chain().blocked.clear();
        let expected = if is_refused { &second } else { &first };
        assert_eq!(
            world.bytes(&transfer(AMOUNT)).await,
            *expected,
            "it is in a block; refused: {is_refused}"
        );
        let next = WalletTransfer { deposits: 1, ..transfer(AMOUNT) };
        assert!(
            ![first, second].contains(&world.bytes(&next).await),
            "what follows a deposit is another transfer"
        );
    }
}

#[tokio::test]
async fn the_payer_has_minutes_to_sign() {
    let world = world().await;
    for _ in 0..4 {
        let raw = Raw::decode(world.bytes(&transfer(AMOUNT)).await.as_slice()).unwrap();
        let now = i64::try_from(world.server.chain().head().millis).unwrap();
        let left = raw.expiration - now;
        assert!((600_000..=900_000).contains(&left), "{left} ms");
        world.server.chain().pass(100 * INTERVAL - INTERVAL);
    }
}

#[tokio::test]
async fn what_an_account_lacks_is_said_before() {
    let world = world().await;
    let poor = account::to_text(Key::from_secret(&[8; 32]).unwrap().account());
    let check = async |account: &str, amount: u128, expected: Unsigned| {
        let have = world.signing().unsigned(&transfer(amount), account).await.unwrap();
        assert_eq!(have, expected, "{amount} from {account}");
    };
    let payer = account::to_text(key().account());
    check(&payer, 50_000_001, Unsigned::TooLittle).await;
    check(&poor, 1, Unsigned::TooLittle).await;
    world.server.chain().give(&hex(&poor), USDT, AMOUNT);
    check(&poor, AMOUNT, Unsigned::NoFee).await;
    world.server.chain().fund(&hex(&poor), 6_000_000);
    check(&poor, AMOUNT, Unsigned::NoFee).await;
    world.server.chain().blocked.insert(hex(OURS));
    check(&payer, AMOUNT, Unsigned::WouldFail).await;
}

/// The gateway sends no other transaction, even with a valid signature.
#[tokio::test]
async fn nothing_but_the_transfer_is_sent() {
    let world = world().await;
    let good = world.bytes(&transfer(AMOUNT)).await;
    let raw = Raw::decode(good.as_slice()).unwrap();
    let owner = raw.contract[0].parameter.as_ref().unwrap();
    let call = TriggerSmartContract::decode(owner.value.as_slice()).unwrap();
    let with = |call: TriggerSmartContract| {
        let mut raw = raw.clone();
        let type_url = raw.contract[0].parameter.as_ref().unwrap().type_url.clone();
        raw.contract[0].parameter = Some(Any { type_url, value: call.encode_to_vec() });
        raw.encode_to_vec()
    };
    let to = |text: &str, amount: u64| {
        let data = tokens::transfer_data(account::read(text).unwrap(), alloy_primitives::U256::from(amount));
        with(TriggerSmartContract { data, ..call.clone() })
    };
    let usdc = "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8";
    let other = account::bytes(account::read(usdc).unwrap()).to_vec();
    let twice = vec![raw.contract[0].clone(), raw.contract[0].clone()];
    // The same, with more bytes: of two values of a field, nodes take the last one.
    let contract = raw.contract[0].encode_to_vec();
    let start = good.windows(contract.len()).position(|part| part == contract).unwrap();
    let before = &good[..start - 3];
    let more = |bytes: &[u8]| {
        let mut all = [before, &[0x5a]].concat();
        prost::encode_length_delimiter(contract.len() + bytes.len(), &mut all).unwrap();
        [&all, &contract, bytes, &good[start + contract.len()..]].concat()
    };
    assert_eq!(more(&[]), good);
    let value = |bytes: &[u8]| {
        let mut raw = raw.clone();
        raw.contract[0].parameter.as_mut().unwrap().value.extend(bytes);
        raw.encode_to_vec()
    };
    let data =
        tokens::transfer_data(account::read(super::PAYER).unwrap(), alloy_primitives::U256::from(AMOUNT));
    let mut longer = good.clone();
    *longer.last_mut().unwrap() |= 0x80;
    longer.push(0);
    let cases = [
        ("another recipient", to(super::PAYER, 25_000_000)),
        ("less", to(OURS, 24_999_999)),
        ("more", to(OURS, 25_000_001)),
        ("TRX with it", with(TriggerSmartContract { call_value: 1, ..call.clone() })),
        ("another contract", with(TriggerSmartContract { contract_address: other, ..call.clone() })),
        ("another owner", with(TriggerSmartContract { owner_address: vec![0x41; 21], ..call.clone() })),
        ("no owner", with(TriggerSmartContract { owner_address: vec![], ..call.clone() })),
        ("another limit", Raw { fee_limit: raw.fee_limit + 1, ..raw.clone() }.encode_to_vec()),
        ("two contracts", Raw { contract: twice, ..raw.clone() }.encode_to_vec()),
        ("no contract", Raw { contract: vec![], ..raw.clone() }.encode_to_vec()),
        // A memo, which is a field that the gateway does not know.
        ("a memo", [good.clone(), vec![0x52, 1, 65]].concat()),
        ("a memo before", [before, &[0x52, 1, 65], &good[before.len()..]].concat()),
        ("another permission", more(&[0x28, 2])),
        ("the kind twice", more(&[0x08, 31])),
        ("another kind after it", more(&[0x08, 1])),
        ("a second call", value(&[&[0x22, 68], &*data].concat())),
        ("a token of TRON with it", value(&[0x28, 1, 0x30, 1])),
        ("the limit twice", [&*good, &[0x90, 1, 1]].concat()),
        ("a longer number", longer),
        ("half of it", good[..good.len() / 2].to_vec()),
        ("nothing", Vec::new()),
    ];
    for (name, bytes) in cases {
        let sent = world.signing().send(&transfer(AMOUNT), &bytes, &signature(&key(), &bytes)).await.unwrap();
        assert_eq!(sent, Sending::Other, "{name}");
    }
    let other = Key::from_secret(&[8; 32]).unwrap();
    for wrong in [signature(&other, &good), signature(&key(), &good[1..]), vec![0; 65], vec![], vec![1; 64]] {
        let sent = world.signing().send(&transfer(AMOUNT), &good, &wrong).await.unwrap();
        assert_eq!(sent, Sending::Other, "{wrong:?}");
    }
    assert!(!world.server.chain().waits());
}

/// Whether it was sent is not known: the same bytes are sent again.
#[tokio::test]
async fn a_server_that_fails_leaves_it_open() {
    let world = world().await;
    let good = world.bytes(&transfer(AMOUNT)).await;
    let signature = signature(&key(), &good);
    let send = async || world.signing().send(&transfer(AMOUNT), &good, &signature).await;
    for fault in [Fault::Down, Fault::Garbled] {
        world.server.chain().fault = fault;
        assert!(send().await.is_err(), "{fault:?}");
        let account = account::to_text(key().account());
        assert!(world.signing().unsigned(&transfer(AMOUNT), &account).await.is_err(), "{fault:?}");
    }
    world.server.chain().fault = Fault::None;
    assert_eq!(send().await.unwrap(), Sending::Sent);
    world.server.chain().pass(1_200_000);
    assert_eq!(world.received(), AMOUNT);
    let late = send().await.unwrap();
    assert_eq!(late, Sending::Sent, "the network has it");
}

#[tokio::test]
async fn an_expired_transaction_is_not_taken() {
    let world = world().await;
    let good = world.bytes(&transfer(AMOUNT)).await;
    world.server.chain().pass(900_000);
    let late = world.signing().send(&transfer(AMOUNT), &good, &signature(&key(), &good)).await;
    assert!(late.unwrap_err().to_string().contains("TRANSACTION_EXPIRATION_ERROR"));
    assert_ne!(world.bytes(&transfer(AMOUNT)).await, good);
}

/// The page compares the transaction with what the core writes.
#[test]
fn the_core_encodes_transfers_as_payouts_are() {
    for pair in pair::PAIRS.iter().filter(|pair| pair.network == Network::Trx) {
        for (text, atoms) in [(OURS, 1), (super::PAYER, AMOUNT), (OURS, Amount::MAX.atoms())] {
            let to = checkout_core::Address::parse(Network::Trx, text).unwrap();
            let call = browser_wallet::payment(pair, &to, Amount::from_atoms(atoms).unwrap()).unwrap();
            let data =
                tokens::transfer_data(account::read(text).unwrap(), alloy_primitives::U256::from(atoms));
            assert_eq!(call.data, format!("0x{}", alloy_primitives::hex::encode(data)));
            assert_eq!(Some(call.to.as_str()), pair.contract);
        }
    }
}
