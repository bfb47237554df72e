//! `kill -9` at every commit and every send. The process kills itself at a point (`gateway/src/fail_point.rs`), the next
//! one goes on on the same database, and in the end nothing is lost and nothing is there twice.

pub(crate) mod books;
mod merchant;

use std::fmt;

use serde_json::{Value, json};

use self::books::Books;
use self::merchant::Merchant;
use crate::callbacks::Inbox;
use crate::gateway::{Gateway, run};

/// Each point, and at which of its times the process dies: from the first to the last.
const POINTS: [(&str, u64); 7] = [
    ("commit.before", 60),
    ("commit.after", 60),
    ("answer", 24),
    ("broadcast.before", 16),
    ("broadcast.after", 16),
    ("callback.before", 14),
    ("callback.after", 14),
];

/// Processes that work side by side, each on a database of its own.
const LANES: usize = 2;

/// Orders of one life at most: enough to come to every point.
const ORDERS: u64 = 24;

const KILLED: Option<i32> = Some(9);

#[derive(Debug, Default)]
struct Figures {
    kills: u64,
    before_ready: u64,
    payments: u64,
    deposits: u64,
    entries: u64,
    refunds: u64,
    withdrawals: u64,
    callbacks: u64,
    repeated: u64,
}

impl Figures {
    fn add(&mut self, more: &Self) {
        self.kills += more.kills;
        self.before_ready += more.before_ready;
        self.payments += more.payments;
        self.deposits += more.deposits;
        self.entries += more.entries;
        self.refunds += more.refunds;
        self.withdrawals += more.withdrawals;
        self.callbacks += more.callbacks;
        self.repeated += more.repeated;
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} kills ({} of them before the gateway was ready): {} payments, {} deposits, {} ledger entries, {} refunds, \
             {} withdrawals, {} callbacks ({} tries repeated); lost 0, doubled 0",
            self.kills,
            self.before_ready,
            self.payments,
            self.deposits,
            self.entries,
            self.refunds,
            self.withdrawals,
            self.callbacks,
            self.repeated
        )
    }
}

#[test]
fn a_sweep_over_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let databases =
        [0, 1].map(|lane| format!("sqlite:{}", folder.path().join(format!("{lane}.db")).display()));
    sweep("SQLite", &databases);
}

fn sweep(store: &str, databases: &[String; LANES]) {
    let all: Vec<(&str, u64)> =
        POINTS.iter().flat_map(|(point, last)| (1..=*last).map(|number| (*point, number))).collect();
    let lanes: Vec<_> = databases
        .iter()
        .enumerate()
        .map(|(lane, database)| {
            // Every point in every lane, in turns.
            let own: Vec<_> = all.iter().copied().skip(lane).step_by(LANES).collect();
            let database = database.clone();
            std::thread::spawn(move || live(&database, &own))
        })
        .collect();
    let mut figures = Figures::default();
    for lane in lanes {
        figures.add(&lane.join().unwrap());
    }
    eprintln!("{store}: {figures}");
    assert_eq!(figures.kills, all.len() as u64);
}

/// A business that is told of everything and pays back what is too much; its token.
fn business(database: &str, inbox: &Inbox) -> Value {
    let urls = ["--sandbox", "--deposit-callback", &inbox.url, "--withdrawal-callback", &inbox.url];
    let terms = ["--overpayment", "EXCESS_REFUND", "--refund-follow-up", "--settlement-ratio", "0.5"];
    let create = ["business", "create", "--name", "Kettle & Co", "--json", "--database", database];
    let made = run(&[create.as_slice(), &urls, &terms].concat());
    serde_json::from_slice::<Value>(&made.stdout).unwrap()["token"].clone()
}

fn start(database: &str, token: &Value, kill_at: Option<&str>) -> Option<Gateway> {
    let mut gateway = Gateway::try_start(database, &["--sandbox"], |command| {
        command.envs(kill_at.map(|point| ("CHECKOUT_KILL_AT", point)));
    })?;
    gateway.ready["businessToken"] = token.clone();
    Some(gateway)
}

/// Dies at each of these points, then lives on and is looked at.
fn live(database: &str, points: &[(&str, u64)]) -> Figures {
    let inbox = Inbox::open();
    let token = business(database, &inbox);
    let mut merchant = Merchant::default();
    let mut figures = Figures::default();
    for (point, number) in points {
        let kill_at = format!("{point}/{number}");
        figures.kills += 1;
        let Some(gateway) = start(database, &token, Some(&kill_at)) else {
            figures.before_ready += 1;
            continue;
        };
        let died = (0..ORDERS).any(|_| merchant.order(&gateway).is_none());
        assert!(died, "{kill_at} was not reached");
        assert_eq!(gateway.died_of(), KILLED, "{kill_at}");
    }
    let gateway = start(database, &token, None).expect("the gateway gets ready");
    merchant.finish(&gateway, &inbox);
    merchant.check(&gateway);
    assert_eq!(gateway.stop("-TERM"), Some(0));
    Books::read(database).check(&merchant, &inbox, &mut figures);
    figures
}

/// The sandbox answers, or the process died.
fn sandbox(gateway: &Gateway, path: &str, body: &Value) -> Option<Value> {
    let (status, answer) = gateway.try_call("POST", &format!("/sandbox/{path}"), body)?;
    assert_eq!(status, 200, "{path} {body}: {answer}");
    Some(answer)
}

fn blocks(gateway: &Gateway) -> Option<Value> {
    sandbox(gateway, "blocks", &json!({"network": "BTC", "count": 1}))
}
