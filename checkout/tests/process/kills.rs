//! `kill -9` at every commit and every send. The process kills itself at a fail point
//! (`gateway/src/fail_point.rs`) and another one continues on the same database. In the end nothing is lost
//! or done twice. `cargo xtask test` kills at a fifth of the occurrences of every point, `cargo xtask ci --everything` at all.

pub(crate) mod books;
mod events;
mod lanes;
mod merchant;
mod operator;
mod refunds;
mod takeover;

use std::fmt;

use checkout_test_postgres::schema;
use serde_json::{Value, json};

use self::books::Books;
use self::lanes::{Lane, Work, side_by_side};
use self::merchant::Merchant;
use self::operator::Operator;
use crate::callbacks::inbox;
use crate::gateway::{Gateway, run};
use crate::show;
use checkout_test_nodes::Inbox;

/// `every` kills at each occurrence of each fail point; a number chooses the share of a run.
const VARIABLE: &str = "CHECKOUT_KILLS";

/// This many runs with consecutive numbers kill at every occurrence.
const SHARES: u64 = 5;

/// Which occurrences a run kills at.
#[derive(Clone, Copy)]
enum Kills {
    Every,
    /// One share of [`SHARES`].
    Share(u64),
}

/// Each fail point with its last occurrence.
const POINTS: [(&str, u64); 10] = [
    ("commit.before", 54),
    ("commit.after", 54),
    ("answer", 20),
    ("broadcast.before", 14),
    ("broadcast.after", 14),
    ("callback.before", 12),
    ("callback.after", 12),
    ("screening.after", 12),
    ("decision.before", 5),
    ("decision.after", 5),
];

/// Maximum orders per process, enough to reach every point.
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
    merchant_refunds: u64,
    merchant_refunds_cancelled: u64,
    withdrawals: u64,
    released: u64,
    refused: u64,
    operators: u64,
    callbacks: u64,
    events: u64,
    repeated: u64,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} kills ({} of them before the gateway was ready): {} payments, {} deposits, {} ledger entries, {} refunds, \
             {} of the merchant and {} cancelled, {} withdrawals, {} flagged deposits released, {} refused ({} operators killed at it), {} callbacks \
             and {} events ({} attempts repeated); lost 0, doubled 0",
            self.kills,
            self.before_ready,
            self.payments,
            self.deposits,
            self.entries,
            self.refunds,
            self.merchant_refunds,
            self.merchant_refunds_cancelled,
            self.withdrawals,
            self.released,
            self.refused,
            self.operators,
            self.callbacks,
            self.events,
            self.repeated
        )
    }
}

/// Configures the real finality of BTC: refunds wait for it, and payouts are tracked until then.
const CONFIGURATION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/kills/gateway.toml");

/// Tests both stores side by side at every point. Each store covers half the occurrences, so that the test does not
/// take twice as long.
#[test]
fn a_sweep_over_both_stores() {
    let folder = tempfile::tempdir().unwrap();
    let stores = [
        ("SQLite", format!("sqlite:{}", folder.path().join("checkout.db").display())),
        ("PostgreSQL", schema()),
    ];
    let works = stores.iter().enumerate().map(|(store, (_, database))| {
        let points = points_of(store, kills_of_this_run());
        let work: Work<'_, Option<Figures>> = Box::new(move |lane| live(lane, database, &points));
        work
    });
    let figures = side_by_side(works.collect());
    let mut kills = 0;
    for ((store, _), figures) in stores.iter().zip(figures) {
        let figures = figures.expect("no lane failed, so none was ended");
        show(&format!("{store}: {figures}"));
        kills += figures.kills;
        assert!(
            figures.merchant_refunds >= 4 && figures.merchant_refunds_cancelled >= 2,
            "{store}: {figures}"
        );
    }
    let planned: usize = [0, 1].map(|store| points_of(store, kills_of_this_run()).len()).iter().sum();
    assert_eq!(kills, planned as u64);
    assert!(kills >= 36, "{kills} kills");
}

fn kills_of_this_run() -> Kills {
    match std::env::var(VARIABLE).as_deref() {
        Ok("every") => Kills::Every,
        Ok(number) => Kills::Share(number.parse().unwrap()),
        Err(_) => Kills::Share(0),
    }
}

/// Alternates pairs of occurrences between the stores. Odd and even ones may differ in kind, so each store gets both.
fn points_of(store: usize, kills: Kills) -> Vec<(&'static str, u64)> {
    let all = POINTS.iter().flat_map(|(point, last)| (1..=*last).map(move |number| (*point, number)));
    let is_in_share = |number: u64| match kills {
        Kills::Every => true,
        Kills::Share(share) => number % SHARES == share % SHARES,
    };
    all.filter(|(_, number)| is_in_share(*number) && usize::from(number % 4 > 1) == store).collect()
}

#[test]
fn each_share_kills_at_each_point_and_all_shares_at_each_occurrence() {
    let all: u64 = POINTS.iter().map(|(_, last)| last).sum();
    assert!(all >= 200, "{all} kills");
    for store in [0, 1] {
        let every = points_of(store, Kills::Every);
        for (point, _) in POINTS {
            assert!(every.iter().filter(|(name, _)| *name == point).count() >= 2, "{point}");
        }
        let mut shares: Vec<_> =
            (7..7 + SHARES).flat_map(|share| points_of(store, Kills::Share(share))).collect();
        shares.sort_by_key(|(name, number)| (POINTS.iter().position(|(point, _)| point == name), *number));
        assert_eq!(shares, every);
    }
    for share in 0..SHARES {
        for (point, _) in POINTS {
            let both = [0, 1].map(|store| points_of(store, Kills::Share(share)));
            assert!(both.concat().iter().any(|(name, _)| *name == point), "{point} in share {share}");
        }
    }
}

/// Creates a business with all callbacks and events and refunds of excess. Returns its token.
fn business(database: &str, inbox: &Inbox) -> Value {
    let url = inbox.url.as_str();
    let urls = [
        "--sandbox",
        "--deposit-callback",
        url,
        "--withdrawal-callback",
        url,
        "--event-url",
        url,
        "--event",
        "*",
    ];
    let terms = [
        "--overpayment",
        "EXCESS_REFUND",
        "--refund-follow-up",
        "--refund-address",
        "SENDER",
        "--settlement-ratio",
        "0.5",
        "--settlement-crypto",
        "BTC",
        "--withdrawal-approval-above",
        "50",
    ];
    let create = ["business", "create", "--name", "Kettle & Co", "--json", "--database", database];
    let made = run(&[create.as_slice(), &urls, &terms].concat());
    serde_json::from_slice::<Value>(&made.stdout).unwrap()["token"].clone()
}

fn start(database: &str, token: &Value, kill_at: Option<&str>) -> Option<Gateway> {
    let mut gateway = Gateway::try_start(database, &["--sandbox", "--config", CONFIGURATION], |command| {
        command.envs(kill_at.map(|point| ("CHECKOUT_KILL_AT", point)));
    })?;
    gateway.ready["businessToken"] = token.clone();
    Some(gateway)
}

/// Kills the process at each point, then lets it finish and checks the results. Returns `None` if another
/// lane failed.
fn live(lane: &Lane<'_>, database: &str, points: &[(&str, u64)]) -> Option<Figures> {
    let inbox = inbox();
    let token = business(database, &inbox);
    let mut merchant = Merchant::default();
    let mut operator = Operator::new(database);
    let mut figures = Figures::default();
    for (point, number) in points {
        let kill_at = format!("{point}/{number}");
        figures.kills += 1;
        let Some(gateway) = start(database, &token, Some(&kill_at)) else {
            figures.before_ready += 1;
            continue;
        };
        // An operator's decision is applied in the background, a moment later.
        let (only_flagged, mut died) = (point.starts_with("decision"), false);
        let decided = operator.decisions.len();
        for _ in 0..ORDERS {
            if lane.is_over() {
                return None;
            }
            died = merchant.order(&gateway, only_flagged).is_none();
            if std::mem::take(&mut merchant.is_flagged) {
                operator.decide_all();
            }
            operator.approve(&mut merchant.refunds.unapproved);
            if died
                || (only_flagged && operator.decisions.len() - decided >= usize::try_from(*number).unwrap())
            {
                break;
            }
        }
        assert!(died || only_flagged, "{kill_at} was not reached");
        assert_eq!(gateway.died_of(), KILLED, "{kill_at}");
    }
    let gateway = start(database, &token, None).expect("the gateway gets ready");
    merchant.tell_all(&gateway, &mut operator);
    operator.finish();
    merchant.finish(&gateway, &mut operator, &inbox);
    merchant.check(&gateway);
    assert_eq!(gateway.stop("-TERM"), Some(0));
    Books::read(database).check(&merchant, &operator, &inbox, &mut figures);
    Some(figures)
}

/// Returns the sandbox's answer, or `None` if the process died.
fn sandbox(gateway: &Gateway, path: &str, body: &Value) -> Option<Value> {
    let (status, answer) = gateway.try_call("POST", &format!("/sandbox/{path}"), body)?;
    assert_eq!(status, 200, "{path} {body}: {answer}");
    Some(answer)
}

fn blocks(gateway: &Gateway, count: u32) -> Option<Value> {
    sandbox(gateway, "blocks", &json!({"network": "BTC", "count": count}))
}
