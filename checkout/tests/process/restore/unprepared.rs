use checkout_test_postgres::{copy_of, database};

use super::{Loss, address, check, held, refusal};
use crate::gateway::Gateway;

/// `cp backup.db checkout.db` in place of `checkout restore`.
#[test]
fn a_backup_that_was_only_copied_is_not_served() {
    let mut loss = Loss::new();
    std::fs::copy(loss.path("backup.db"), loss.path("new.db")).unwrap();
    let new = loss.url("new.db");
    let reason = refusal(&new).expect("the gateway is refused");
    assert!(reason.contains("backup") && reason.contains("checkout restore --database"), "{reason}");
    check(&["restore", "--database", &new], 0, "A gateway can start.");
    let gateway = Gateway::sandbox(&new, &[]);
    for number in 0..5 {
        let address = address(&gateway, &format!("again-{number}"));
        assert!(loss.given.insert(address.clone()), "{address} is given to two payments");
    }
    assert_eq!(held(&new).len(), 1);
}

/// `pg_restore`, or a copy of the whole database, without `checkout restore` afterwards.
#[test]
fn a_copy_of_a_postgresql_database_is_not_served_unprepared() {
    let original = database();
    let gateway = Gateway::sandbox(&original, &[]);
    let given = address(&gateway, "early");
    gateway.stop("-TERM");
    let copy = copy_of(&original);
    let reason = refusal(&copy).expect("the gateway is refused");
    assert!(reason.contains("checkout restore --database"), "{reason}");
    assert!(!reason.contains("postgres://"), "no password is shown: {reason}");
    check(&["restore", "--database", &copy], 0, "A gateway can start.");
    let gateway = Gateway::sandbox(&copy, &[]);
    assert_ne!(address(&gateway, "late"), given);
    gateway.stop("-TERM");
    assert_eq!(refusal(&original), None, "the original is served as before");
}
