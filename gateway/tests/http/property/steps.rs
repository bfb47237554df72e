//! The steps of a world. They are drawn from a seed before any of them runs, so that a failure can be shrunk.

use super::coins::COINS;

/// xorshift64*: the same steps for the same seed, on every machine.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).max(1))
    }

    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides
    }

    fn pick(&mut self, sides: usize) -> usize {
        usize::try_from(self.roll(sides as u64)).unwrap()
    }

    fn flip(&mut self) -> bool {
        self.roll(2) == 0
    }
}

/// The business and its orders.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Scene {
    pub(super) refund_excess: bool,
    pub(super) refund_follow_ups: bool,
    /// How many halves of the income are settled in BTC.
    pub(super) halves: u128,
    /// Confirmations required for finality, on every chain.
    pub(super) finality: u32,
    /// Whether final transactions stay on their chain. Otherwise money can be lost, and the accounts must show it.
    pub(super) is_honest: bool,
    /// How many seconds the clock of each network is ahead.
    pub(super) ahead: [i64; COINS.len()],
    /// Rates jump. Then no order is FLOATING: `shown_quotes.rs` tests those.
    pub(super) jumps: bool,
    pub(super) orders: Vec<Order>,
}

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is drawn independently")]
pub(super) struct Order {
    pub(super) coin: usize,
    pub(super) reusable: bool,
    pub(super) floating: bool,
    /// Priced in the coin instead of euros.
    pub(super) in_crypto: bool,
    /// Seven days instead of half an hour.
    pub(super) long: bool,
}

/// When a process that sends callbacks dies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Death {
    /// After this many polls of its future. Requests run beside it, so the moment varies.
    After { polls: usize },
    /// When a merchant has this many callbacks, before the gateway receives the last answer.
    Unheard { posts: usize },
}

/// Indexes are taken modulo the number of items.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Sends `thousandths` of the amount due, plus some atoms.
    Pay {
        payment: usize,
        address: usize,
        thousandths: u64,
        atoms: u64,
        replaceable: bool,
        from: usize,
        watched: bool,
    },
    Mine {
        coin: usize,
        watched: bool,
    },
    Reorganise {
        coin: usize,
        depth: u32,
        watched: bool,
    },
    /// A transfer is dropped.
    Drop {
        transfer: usize,
        watched: bool,
    },
    /// The network drops a payout.
    DropPayout {
        payout: usize,
        watched: bool,
    },
    /// The chain is read, but nothing is sent.
    ReadOnly {
        coin: usize,
    },
    /// The chain is read and everything is sent, by a process that dies after this many polls.
    Crash {
        coin: usize,
        polls: usize,
    },
    /// The chain is read again from the start.
    Replay {
        coin: usize,
    },
    Clock {
        seconds: u64,
    },
    Restart,
    /// The merchant repeats the POST of the order.
    PostAgain {
        payment: usize,
    },
    Choose {
        payment: usize,
        coin: usize,
    },
    Withdraw {
        coin: usize,
        to: usize,
        from_crypto: bool,
        tenths: u64,
        dies_after: Option<usize>,
    },
    /// The merchant refunds tenths of what a payment received in one of its coins; above eleven, the rest.
    Refund {
        payment: usize,
        coin: usize,
        tenths: u64,
        from_crypto: bool,
        to: usize,
        dies_after: Option<usize>,
    },
    /// Callbacks are sent; each bit of `answers` makes the merchant accept or refuse one.
    Deliver {
        answers: u64,
        dies: Option<Death>,
    },
    /// The screening starts or stops blocking a person.
    Flag {
        coin: usize,
        person: usize,
        flagged: bool,
    },
    /// The screening stops or starts answering.
    Silence {
        silent: bool,
    },
    /// A transaction that is in no block will do something else in its next one: it moves thousandths of what it moved first, to
    /// another payee, or to nobody, from another sender, or it fails.
    ExecuteAgain {
        transaction: usize,
        thousandths: u64,
        payee: usize,
        from: usize,
        fails: bool,
        watched: bool,
    },
    /// The node of a network is so many blocks behind; 0: it is back.
    Lag {
        coin: usize,
        blocks: u32,
    },
    /// The node answers without the fields of a transaction.
    LoseFields {
        transfer: usize,
    },
    /// All fields are there again, and the gateway reads again what it read without.
    FindFields,
    /// The network asks 30 times the usual fee, or the usual one again.
    Fee {
        coin: usize,
        is_dear: bool,
    },
    /// The rate of a coin jumps to so many quarters of the first one.
    Jump {
        coin: usize,
        quarters: u128,
    },
    /// Advances everything that waits for the screening or has a decision to apply.
    Screen {
        dies_after: Option<usize>,
    },
    /// An operator gives a refund that waits an address, or tries to do so for another deposit.
    Claim {
        deposit: usize,
    },
    /// An operator decides a flagged deposit, or tries to decide another one.
    Decide {
        deposit: usize,
        release: bool,
        dies_after: Option<usize>,
    },
}

pub(super) fn plan(seed: u64) -> (Scene, Vec<Step>) {
    let mut dice = Dice::new(seed);
    // Most steps use one chain, so that its transfers, blocks and reorganisations interact.
    let main = dice.pick(3);
    let mut scene = Scene {
        refund_excess: dice.roll(4) > 0,
        refund_follow_ups: dice.flip(),
        halves: u128::from(dice.roll(3)),
        finality: 1 + u32::try_from(dice.roll(3)).unwrap(),
        is_honest: dice.roll(4) > 0,
        ahead: [(); COINS.len()].map(|()| [0, 0, 0, 300, -300, -900, 3_600, -5_400][dice.pick(8)]),
        jumps: dice.flip(),
        orders: (0..=dice.roll(2)).map(|_| order(&mut dice, main)).collect(),
    };
    if scene.jumps {
        scene.orders.iter_mut().for_each(|order| order.floating = false);
    }
    let mut steps = Vec::new();
    if dice.roll(3) > 0 {
        steps.push(Step::Flag { coin: main, person: 1, flagged: true });
    }
    let mut ends: Vec<(u64, Step)> = Vec::new();
    for _ in 0..27 + dice.roll(14) {
        let step = step(&mut dice, main, scene.jumps);
        // A payout is pending now, so this is a good moment to crash.
        let coin = match step {
            Step::Withdraw { coin, dies_after: None, .. } | Step::ReadOnly { coin } => Some(coin),
            _ => None,
        };
        for (left, _) in &mut ends {
            *left -= 1;
        }
        steps.extend(ends.extract_if(.., |(left, _)| *left == 0).map(|(_, end)| end));
        ends.extend(end(&step).map(|end| (2 + dice.roll(6), end)));
        let decided =
            if let Step::Decide { deposit, release, .. } = step { Some((deposit, release)) } else { None };
        steps.push(step);
        // Applies the decision at once; sometimes the operator changes it.
        if let Some((deposit, release)) = decided.filter(|_| dice.roll(3) > 0) {
            steps.push(Step::Screen { dies_after: dying(&mut dice) });
            if dice.flip() {
                steps.push(Step::Decide { deposit, release: !release, dies_after: None });
                steps.push(Step::Screen { dies_after: dying(&mut dice) });
            }
        }
        let polls = 1 + dice.pick(40);
        steps.extend(coin.map(|coin| Step::Crash { coin, polls }));
    }
    (scene, steps)
}

/// What lasts for a while ends with a step.
fn end(step: &Step) -> Option<Step> {
    match *step {
        Step::Silence { .. } => Some(Step::Silence { silent: false }),
        Step::Lag { coin, .. } => Some(Step::Lag { coin, blocks: 0 }),
        Step::LoseFields { .. } => Some(Step::FindFields),
        Step::Fee { coin, .. } => Some(Step::Fee { coin, is_dear: false }),
        _ => None,
    }
}

fn coin(dice: &mut Dice, main: usize) -> usize {
    if dice.roll(3) > 0 { main } else { dice.pick(3) }
}

/// Mostly small numbers, because most work needs few polls.
fn polls(dice: &mut Dice) -> usize {
    let most = 1 << dice.roll(9);
    1 + dice.pick(most)
}

fn dying(dice: &mut Dice) -> Option<usize> {
    (dice.roll(3) == 0).then(|| polls(dice))
}

fn order(dice: &mut Dice, main: usize) -> Order {
    Order {
        coin: coin(dice, main),
        reusable: dice.roll(5) == 0,
        floating: dice.roll(3) == 0,
        in_crypto: dice.roll(3) == 0,
        long: dice.flip(),
    }
}

fn step(dice: &mut Dice, main: usize, jumps: bool) -> Step {
    let coin = coin(dice, main);
    let watched = dice.roll(4) > 0;
    let dies_after = dying(dice);
    match dice.roll(if jumps { 58 } else { 56 }) {
        0..=8 => {
            let thousandths = [0, 100, 500, 1_000, 1_000, 1_000, 1_500, 3_000][dice.pick(8)];
            let atoms = if thousandths == 1_000 && dice.flip() { 0 } else { 1 + dice.roll(10_000) };
            let (payment, address, replaceable) = (dice.pick(8), dice.pick(8), dice.roll(4) == 0);
            let from = if dice.roll(3) > 0 { 0 } else { [0, 1, 2, 2][dice.pick(4)] };
            Step::Pay { payment, address, thousandths, atoms, replaceable, from, watched }
        }
        9..=13 => Step::Mine { coin, watched },
        14..=16 => Step::Reorganise { coin, depth: 1 + u32::try_from(dice.roll(3)).unwrap(), watched },
        17 => Step::Drop { transfer: dice.pick(64), watched },
        18..=19 => Step::ReadOnly { coin },
        20..=21 => Step::Crash { coin, polls: polls(dice) },
        22 => Step::Replay { coin },
        23 => Step::Clock { seconds: [1, 60, 900, 1_800, 7_200][dice.pick(5)] },
        24 => Step::Restart,
        25 => Step::PostAgain { payment: dice.pick(8) },
        26..=27 => Step::Choose { payment: dice.pick(8), coin },
        28..=29 => {
            let to = if dice.flip() { 0 } else { dice.pick(3) };
            Step::Withdraw { coin, to, from_crypto: dice.flip(), tenths: 10 + dice.roll(12), dies_after }
        }
        32..=33 => Step::DropPayout { payout: dice.pick(8), watched },
        34 => Step::Flag { coin, person: dice.pick(3), flagged: dice.roll(3) > 0 },
        35 => Step::Silence { silent: true },
        36 => Step::Screen { dies_after },
        42..=45 => {
            let (payment, coin, tenths) = (dice.pick(8), dice.pick(3), 1 + dice.roll(14));
            let to = if dice.flip() { 0 } else { dice.pick(3) };
            Step::Refund { payment, coin, tenths, from_crypto: dice.flip(), to, dies_after }
        }
        39..=41 => Step::Claim { deposit: dice.pick(64) },
        46..=49 => Step::ExecuteAgain {
            transaction: dice.pick(64),
            thousandths: [1_000, 1_000, 1_000, 20, 500, 1_500][dice.pick(6)],
            payee: dice.pick(8),
            from: dice.pick(4),
            fails: dice.roll(4) == 0,
            watched,
        },
        50..=51 => Step::Lag { coin, blocks: 1 + u32::try_from(dice.roll(3)).unwrap() },
        52..=53 => Step::LoseFields { transfer: dice.pick(64) },
        54..=55 => Step::Fee { coin, is_dear: true },
        56..=57 => Step::Jump { coin, quarters: [1, 2, 3, 4, 7, 13][dice.pick(6)] },
        37..=38 => Step::Decide { deposit: dice.pick(64), release: dice.flip(), dies_after },
        _ => {
            let unheard = (dice.roll(3) == 0).then(|| Death::Unheard { posts: 1 + dice.pick(3) });
            let dies = unheard.or(dies_after.map(|polls| Death::After { polls }));
            Step::Deliver { answers: dice.roll(1 << 16), dies }
        }
    }
}
