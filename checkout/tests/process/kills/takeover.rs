//! Two gateways share one PostgreSQL database. One is killed during its work, and the other, which runs all
//! the time, takes it over. Nothing is lost or done twice.

use std::time::Instant;

use checkout_test_postgres::{schema, sql};
use checkout_test_support::patience;

use super::books::Books;
use super::merchant::Merchant;
use super::operator::Operator;
use super::{Figures, KILLED, business, start};
use crate::callbacks::inbox;
use crate::show;

/// The fail point and its occurrence, and the work in progress at that moment.
const POINTS: [(&str, &str); 6] = [
    ("callback.before/2", "a callback claimed and not sent"),
    ("callback.after/2", "a callback sent, with the result not stored"),
    ("broadcast.before/1", "a payout signed and not sent"),
    ("broadcast.after/1", "a payout sent, with the result not stored"),
    ("commit.before/31", "the lock of a chain's cursor or another row"),
    ("screening.after/3", "a batch of transfers read and not stored"),
];

#[test]
fn another_gateway_finishes_the_work_of_a_killed_one() {
    for (point, what) in POINTS {
        let (database, inbox) = (schema(), inbox());
        let token = business(&database, &inbox);
        let heir = start(&database, &token, None).expect("the gateway gets ready");
        let owner = start(&database, &token, Some(point)).expect("the gateway gets ready");
        let (mut merchant, mut operator) = (Merchant::default(), Operator::new(&database));
        let started = Instant::now();
        while merchant.order(&owner, false).is_some() {
            assert!(started.elapsed() < patience(), "{point} was not reached: {what}");
        }
        assert_eq!(owner.died_of(), KILLED, "{point}");
        if point.starts_with("callback") {
            let begun = "SELECT COUNT(*) FROM callback_attempts WHERE millis IS NULL";
            assert_ne!(sql(&database, begun), "0", "{what}");
        }
        operator.finish();
        merchant.finish(&heir, &mut operator, &inbox);
        merchant.check(&heir);
        assert_eq!(heir.stop("-TERM"), Some(0));
        let mut figures = Figures { kills: 1, ..Figures::default() };
        Books::read(&database).check(&merchant, &operator, &inbox, &mut figures);
        if point.starts_with("callback.after") {
            assert!(figures.repeated > 0, "{what}: it must be repeated");
        }
        show(&format!("{what}: {figures}"));
    }
}
