//! Two servers behind one URL answer in turns: one is behind, or on a fork that was abandoned.

use std::collections::{BTreeMap, BTreeSet};

use checkout_chain_conformance::Reader;
use checkout_chain_doubles::trongrid::chain::{USDT, log};
use checkout_domain::chain::OutputState;
use checkout_domain::ports::rereading::{Reread, Rereading as _};

use super::{OURS, PAYER, World, hex};

/// Numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

async fn run(seed: u64) -> Result<(), String> {
    let world = World::new().await;
    let mut reader = Reader::default();
    reader.try_read(&world.chain).await?;
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ seed);
    let mut paid: BTreeMap<String, u128> = BTreeMap::new();
    for _ in 0..60 {
        {
            let mut chain = world.server.chain();
            match dice.roll(8) {
                0..3 => {
                    let amount = u128::from(dice.roll(1_000)) + 1;
                    let id = chain.put(&[log(USDT, &hex(PAYER), &hex(OURS), amount)], "SUCCESS");
                    paid.insert(id, amount);
                    chain.produce();
                }
                3 => drop(chain.produce()),
                4 => {
                    let blocks = usize::try_from(dice.roll(3)).unwrap();
                    chain.solidify(blocks);
                }
                5 => {
                    let depth = usize::try_from(dice.roll(3)).unwrap();
                    chain.reorganise(depth, &[]);
                }
                6 => chain.other = Some((chain.blocks.clone(), chain.solid)),
                _ => chain.other = None,
            }
        }
        // An error is told, and asked again.
        let _ = reader.try_read(&world.chain).await;
        let chain = world.server.chain();
        let solid: BTreeSet<&str> = chain.blocks[..chain.solid]
            .iter()
            .flat_map(|block| &block.transactions)
            .map(|executed| executed.id.as_str())
            .collect();
        for ((id, _), transfer) in &reader.known {
            if transfer.state == OutputState::Confirmed && !solid.contains(id.as_str()) {
                return Err(format!("{id} is confirmed and not solidified"));
            }
        }
    }
    world.server.chain().other = None;
    for _ in 0..3 {
        world.server.chain().close();
        reader.try_read(&world.chain).await?;
        for entry in std::mem::take(&mut reader.set_aside) {
            let again = world.chain.read_again(&entry).await.map_err(|error| error.to_string())?;
            let (transfers, is_gone) = match again {
                Reread::Read(transfers) => (transfers, false),
                Reread::Gone => (Vec::new(), true),
                Reread::Still(why) => return Err(format!("{entry:?}: {why}")),
            };
            let cursor = reader.cursor.clone().unwrap();
            let rejoined = world.chain.rejoin(&cursor, &entry, transfers).await;
            if let Some(rejoined) = rejoined.map_err(|error| error.to_string())? {
                if is_gone {
                    return Err(format!("{entry:?} is of the chain that was read"));
                }
                reader.cursor = Some(rejoined.cursor);
            }
        }
    }
    let mut sums: BTreeMap<String, u128> = BTreeMap::new();
    for ((id, _), transfer) in &reader.known {
        if transfer.state == OutputState::Confirmed {
            *sums.entry(id.clone()).or_default() += transfer.amount.atoms();
        }
    }
    if sums == paid { Ok(()) } else { Err(format!("{sums:?}, not {paid:?}")) }
}

#[tokio::test]
async fn every_payment_is_confirmed_once() {
    for seed in 1..=8 {
        if let Err(why) = run(seed).await {
            panic!("seed {seed}: {why}");
        }
    }
}
