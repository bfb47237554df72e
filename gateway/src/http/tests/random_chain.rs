//! Whatever a chain does, the deposits are what it carries: random transfers, blocks, reorganisations, drops,
//! clock jumps and restarts, against a model of a dozen lines.

use serde_json::{Value, json};

use super::World;

/// What the model knows of a transfer.
struct Sent {
    id: String,
    satoshi: u64,
    height: Option<u64>,
    dropped: bool,
}

/// xorshift64*: the same steps for the same seed, on every machine.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn deposits_are_what_the_chain_carries() {
    let runs: Vec<_> = (1..=24).map(|seed| tokio::spawn(run(seed))).collect();
    for run in runs {
        run.await.unwrap();
    }
}

async fn run(seed: u64) {
    let mut dice = Dice::new(seed);
    let mut world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let mut sent: Vec<Sent> = Vec::new();
    let mut height = 0;
    for step in 0..30 {
        match dice.roll(12) {
            0..=3 => {
                let satoshi = 1 + dice.roll(120_000);
                let amount = format!("0.{satoshi:08}");
                sent.push(Sent { id: world.pay(&id, &amount).await, satoshi, height: None, dropped: false });
            }
            4..=6 => {
                world.mine("BTC").await;
                height += 1;
                let pending =
                    sent.iter_mut().filter(|transfer| transfer.height.is_none() && !transfer.dropped);
                pending.for_each(|transfer| transfer.height = Some(height));
            }
            7..=8 => {
                let depth = 1 + dice.roll(3);
                world.sandbox("reorgs", json!({"network": "BTC", "depth": depth})).await;
                height = height.saturating_sub(depth);
                let loose = sent.iter_mut().filter(|transfer| transfer.height.is_some_and(|at| at > height));
                loose.for_each(|transfer| transfer.height = None);
            }
            9 if !sent.is_empty() => {
                let which = usize::try_from(dice.roll(sent.len() as u64)).unwrap();
                let transfer = &mut sent[which];
                world.sandbox("drops", json!({"transactionId": transfer.id})).await;
                (transfer.dropped, transfer.height) = (true, None);
            }
            10 => world.advance(dice.roll(1200)).await,
            11 => world = world.restart().await,
            _ => {}
        }
        check(&world.payment(&id).await, &sent, &format!("seed {seed}, step {step}"));
    }
}

#[track_caller]
fn check(payment: &Value, sent: &[Sent], case: &str) {
    let mut expected: Vec<(&str, &str)> = sent
        .iter()
        .filter(|transfer| !transfer.dropped)
        .map(|transfer| {
            (transfer.id.as_str(), if transfer.height.is_some() { "CONFIRMED" } else { "UNCONFIRMED" })
        })
        .collect();
    let text = |deposit: &'_ Value, name: &str| deposit[name].as_str().unwrap().to_owned();
    let deposits = payment["deposits"].as_array().unwrap();
    let mut have: Vec<(String, String)> =
        deposits.iter().map(|deposit| (text(deposit, "transactionId"), text(deposit, "status"))).collect();
    expected.sort_unstable();
    have.sort_unstable();
    let have: Vec<(&str, &str)> = have.iter().map(|(id, status)| (id.as_str(), status.as_str())).collect();
    assert_eq!(have, expected, "{case}");

    let sum: u64 = sent.iter().filter(|transfer| !transfer.dropped).map(|transfer| transfer.satoshi).sum();
    let actual = checkout_core::Amount::parse(payment["actualDepositAmount"].as_str().unwrap(), 8).unwrap();
    assert_eq!(actual.atoms(), u128::from(sum), "{case}: UTXO deposits count at first sight");

    let confirmed: u64 = sent.iter().filter_map(|transfer| transfer.height.map(|_| transfer.satoshi)).sum();
    let is_paid = matches!(payment["status"].as_str(), Some("DEPOSITED" | "OVERPAID"));
    assert_eq!(is_paid, confirmed >= 166_667, "{case}: {payment:#}");
}
