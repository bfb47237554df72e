use serde_json::Value;

use super::{Loss, address, check, held, said};
use crate::gateway::{Gateway, run};

#[test]
fn the_old_database_is_set_aside() {
    let mut loss = Loss::new();
    let (backup, old) = (loss.text("backup.db"), loss.url("old.db"));
    let restore = ["restore", "--from", &backup, "--database", &old];
    check(&restore, 1, "--replace");
    let gateway = Gateway::sandbox(&old, &[]);
    check(&[&restore[..], &["--replace"]].concat(), 1, "is in use");
    assert_eq!(gateway.stop("-KILL"), None);
    check(&[&restore[..], &["--replace"]].concat(), 0, "was set aside as");
    let names = loss.names();
    let aside = names.iter().find(|name| name.starts_with("old.db.replaced-")).expect("it is there").clone();
    assert_eq!(names, ["backup.db", "backup.db.json", "old.db", &aside]);
    let listed = |name: &str| said(&["restore", "--check", "--database", &loss.url(name)], 0);
    assert!(listed(&aside).contains("8 payments"), "what was written last is in it");
    assert!(listed("old.db").contains("3 payments"));
    let gateway = Gateway::sandbox(&old, &[]);
    for number in 0..5 {
        let address = address(&gateway, &format!("again-{number}"));
        assert!(loss.given.insert(address.clone()), "{address} is given to two payments");
    }
    assert_eq!(held(&old).len(), 1);
}

/// A damaged database is replaced, too, with the log that belongs to it.
#[test]
fn a_damaged_database_and_its_log_are_set_aside() {
    let loss = Loss::new();
    let (backup, old) = (loss.text("backup.db"), loss.url("old.db"));
    std::fs::write(loss.path("old.db"), b"this was a database").unwrap();
    std::fs::write(loss.path("old.db-wal"), b"and this its log").unwrap();
    check(&["restore", "--from", &backup, "--database", &old, "--replace"], 0, "A gateway can start.");
    let aside: Vec<String> =
        loss.names().into_iter().filter(|name| name.starts_with("old.db.replaced-")).collect();
    assert!(aside.len() == 2 && aside[1] == format!("{}-wal", aside[0]), "{aside:?}");
    assert!(said(&["restore", "--check", "--database", &old], 0).contains("3 payments"));
}

/// The log of a database that is gone would be read into the restored one.
#[test]
fn a_log_without_its_database_is_not_read_into_the_restored_one() {
    let loss = Loss::new();
    let (backup, new) = (loss.text("backup.db"), loss.url("new.db"));
    std::fs::write(loss.path("new.db-wal"), b"the log of a database that is gone").unwrap();
    check(&["restore", "--from", &backup, "--database", &new], 1, "--replace");
    check(&["restore", "--from", &backup, "--database", &new, "--replace"], 0, "A gateway can start.");
    assert!(!loss.path("new.db-wal").exists());
}

#[test]
fn json_says_what_was_set_aside() {
    let loss = Loss::new();
    let (backup, old) = (loss.text("backup.db"), loss.url("old.db"));
    let output = run(&["restore", "--from", &backup, "--database", &old, "--replace", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(told["setAside"].as_str().unwrap().contains("old.db.replaced-"), "{told}");
    assert_eq!((&told["payments"], &told["addressesSkipped"]), (&3.into(), &10_000.into()), "{told}");
}
