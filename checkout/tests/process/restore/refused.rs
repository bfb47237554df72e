use std::io::Write as _;
use std::process::Command;

use checkout_test_postgres::database;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{Loss, change, check, names, refusal, said};
use crate::gateway::Gateway;

#[test]
fn a_backup_has_a_manifest_with_its_checksum() {
    use std::os::unix::fs::PermissionsExt as _;
    let loss = Loss::new();
    assert_eq!(loss.names(), ["backup.db", "backup.db.json", "old.db"], "nothing else is left");
    let bytes = std::fs::read(loss.path("backup.db")).unwrap();
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(loss.path("backup.db.json")).unwrap()).unwrap();
    let sum = hex::encode(Sha256::digest(&bytes));
    assert_eq!(manifest["sha256"], sum);
    assert_eq!(manifest["bytes"], bytes.len());
    assert_eq!((&manifest["format"], &manifest["payments"]), (&1.into(), &3.into()), "{manifest}");
    assert!(manifest["createdAt"].is_u64() && manifest["schema"].is_u64(), "{manifest}");
    for file in ["backup.db", "backup.db.json"] {
        let mode = std::fs::metadata(loss.path(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}

#[test]
fn what_is_no_complete_backup_is_refused() {
    let loss = Loss::new();
    let whole = std::fs::read(loss.path("backup.db")).unwrap();
    let manifest = std::fs::read_to_string(loss.path("backup.db.json")).unwrap();
    let [bad, temporary] = ["bad.db", "temporary"].map(|name| loss.text(name));
    std::fs::create_dir(&temporary).unwrap();
    let other = loss.path("other.db");
    change(&other, "CREATE TABLE notes (text TEXT)");
    let other = std::fs::read(other).unwrap();
    let changed = [&whole[..whole.len() - 1], &[whole[whole.len() - 1] ^ 1]].concat();
    let half = &whole[..whole.len() / 2];
    let refuse = |named: &str, bytes: &[u8], manifest: Option<&str>, expected: &str| {
        std::fs::write(&bad, bytes).unwrap();
        let _ = std::fs::remove_file(format!("{bad}.json"));
        if let Some(manifest) = manifest {
            std::fs::write(format!("{bad}.json"), manifest).unwrap();
        }
        let without: &[&str] = if manifest.is_none() { &["--without-manifest"] } else { &[] };
        let new = loss.url("new.db");
        for more in [&["--check"][..], &[]] {
            let arguments = [&["restore", "--from", &bad, "--database", &new], more, without].concat();
            let output = crate::gateway::run_with(&arguments, |command| {
                command.env("TMPDIR", &temporary);
            });
            let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(output.status.code() == Some(1) && text.contains(expected), "{named} {more:?}: {text}");
            assert!(!loss.path("new.db").exists(), "{named} {more:?}: nothing is left under the final name");
            assert_eq!(names(temporary.as_ref()), [""; 0], "{named} {more:?}: temporary files are removed");
        }
    };
    refuse("an empty file", b"", None, "is empty");
    refuse("a text", b"SQLite format 4, or so it says", None, "is not a SQLite database");
    refuse("another program's database", &other, None, "is not a database of this gateway");
    refuse("half a file", half, None, "is not complete");
    refuse("half a file with the manifest", half, Some(&manifest), "is not complete");
    refuse("a changed byte", &changed, Some(&manifest), "is not what its manifest describes");
    refuse("a manifest that is no JSON", &whole, Some("sha256"), "bad.db.json");
    refuse(
        "a newer manifest",
        &whole,
        Some(&manifest.replace("\"format\": 1", "\"format\": 2")),
        "newer version",
    );

    std::fs::write(&bad, &whole).unwrap();
    std::fs::remove_file(format!("{bad}.json")).unwrap();
    let new = loss.url("new.db");
    check(&["restore", "--check", "--from", &bad, "--database", &new], 1, "--without-manifest");
    check(&["restore", "--check", "--from", &bad, "--database", &new, "--without-manifest"], 0, "3 payments");
    std::fs::write(format!("{bad}-wal"), "commits that are not in the copy").unwrap();
    let copied = ["restore", "--check", "--from", &bad, "--database", &new, "--without-manifest"];
    check(&copied, 1, "was copied while it was in use");
}

/// The remains of an unfinished restore where there was no database: a folder with an empty file.
const MARK: &str = "new.db.restoring";

/// Accounts that are not the sums of their entries.
#[test]
fn a_restore_that_fails_its_check_leaves_no_database() {
    let loss = Loss::new();
    let backup = loss.text("backup.db");
    change(
        &loss.path("backup.db"),
        "INSERT INTO ledger_balances SELECT id, 'EUR', 'FIAT', '5' FROM businesses",
    );
    let before = loss.names();
    let restore = ["restore", "--from", &backup, "--database", &loss.url("new.db"), "--without-manifest"];
    std::fs::remove_file(loss.path("backup.db.json")).unwrap();
    check(&restore, 1, "is not the sum of its entries");
    let mut after: Vec<String> = before.into_iter().filter(|name| name != "backup.db.json").collect();
    after.push(MARK.to_owned());
    after.sort();
    assert_eq!(loss.names(), after);
}

/// Where there was no database before, a supervisor that starts the gateway again after a restore that failed would start an
/// empty one.
#[test]
fn after_a_first_restore_that_fails_no_empty_gateway_is_started() {
    let loss = Loss::new();
    let (backup, new) = (loss.text("backup.db"), loss.url("new.db"));
    let bad = loss.text("bad.db");
    std::fs::write(&bad, b"SQLite format 4, or so it says").unwrap();
    let missing = loss.text("missing.db");
    for (arguments, expected) in [
        (vec!["--from", bad.as_str(), "--without-manifest"], "is not a SQLite database"),
        (vec!["--from", bad.as_str()], "has no manifest"),
        (vec!["--from", missing.as_str()], "missing.db"),
    ] {
        check(&[&["restore", "--database", &new][..], &arguments].concat(), 1, expected);
        let reason = refusal(&new).expect("the gateway is refused");
        assert!(reason.contains("restore"), "{arguments:?}: {reason}");
        assert!(!loss.path("new.db").exists() && loss.path(MARK).exists(), "{arguments:?}");
    }
    check(&["restore", "--from", &backup, "--database", &new], 0, "A gateway can start.");
    assert!(!loss.path(MARK).exists());
    assert_eq!(refusal(&new), None);
    // The database that is there is served as before.
    check(&["restore", "--from", &bad, "--database", &new, "--replace", "--without-manifest"], 1, "SQLite");
    assert!(!loss.path(MARK).exists());
    assert_eq!(refusal(&new), None);
}

/// In place, as after `pg_restore`.
#[test]
fn a_database_that_fails_its_check_is_not_served() {
    let postgres = database();
    let loss = Loss::new();
    for database in [postgres, loss.url("old.db")] {
        assert_eq!(refusal(&database), None);
        let spoil = "INSERT INTO ledger_balances SELECT id, 'EUR', 'FIAT', '5' FROM businesses LIMIT 1";
        let mend = "DELETE FROM ledger_balances WHERE account = 'FIAT' AND balance = '5'";
        let change = |sql| drop(crate::kills::books::read(&database, sql));
        change(spoil);
        check(&["restore", "--database", &database], 1, "is not the sum of its entries");
        let reason = refusal(&database).expect("the gateway is refused");
        assert!(reason.contains("`checkout restore"), "{reason}");
        change(mend);
        check(&["restore", "--database", &database], 0, "A gateway can start.");
        assert_eq!(refusal(&database), None);
    }
}

/// A file size limit, as in `disk_full.rs`.
#[test]
fn a_full_disk_leaves_no_file() {
    let disk = Loss::new();
    // SQLite's own files of a database that could not be opened.
    let names = || -> Vec<String> {
        let logs = ["old.db-shm", "old.db-wal"];
        disk.names().into_iter().filter(|name| !logs.contains(&name.as_str()) && name != MARK).collect()
    };
    let before = names();
    let [backup, other] = ["backup.db", "second.db"].map(|name| disk.text(name));
    let size = std::fs::metadata(&backup).unwrap().len();
    for blocks in [0, 1, size / 2048, size / 1024, size / 512 - 1] {
        for arguments in [
            &["restore", "--from", &backup, "--database", &disk.url("new.db")][..],
            &["restore", "--from", &backup, "--database", &disk.url("old.db"), "--replace"],
            &["backup", &other, "--database", &disk.url("old.db")],
        ] {
            let shell = format!("trap '' XFSZ; ulimit -S -f {blocks}; exec \"$0\" \"$@\"");
            let output = Command::new("sh")
                .env_clear()
                .args(["-c", &shell, env!("CARGO_BIN_EXE_checkout")])
                .args(arguments)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{blocks} {arguments:?}: {said}");
            assert_eq!(names(), before, "{blocks} {arguments:?}: {said}");
        }
    }
    assert_eq!(refusal(&disk.url("old.db")), None, "the database is as it was");
}

#[test]
fn a_backup_over_a_file_is_refused_and_changes_nothing() {
    let loss = Loss::new();
    let before = std::fs::read(loss.path("backup.db.json")).unwrap();
    check(&["backup", &loss.text("backup.db"), "--database", &loss.url("old.db")], 1, "exists already");
    assert_eq!(std::fs::read(loss.path("backup.db.json")).unwrap(), before);
    let mut lone = std::fs::File::create(loss.path("lone.db.json")).unwrap();
    lone.write_all(b"a manifest whose file was never finished").unwrap();
    said(&["backup", &loss.text("lone.db"), "--database", &loss.url("old.db")], 0);
    check(
        &["restore", "--check", "--from", &loss.text("lone.db"), "--database", "sqlite:x"],
        0,
        "8 payments",
    );
}

#[test]
fn two_restores_at_once_are_one_restore() {
    let loss = Loss::new();
    let (backup, new) = (loss.text("backup.db"), loss.url("new.db"));
    let outcomes: Vec<Option<i32>> = std::thread::scope(|threads| {
        let restore =
            || crate::gateway::run(&["restore", "--from", &backup, "--database", &new]).status.code();
        let started: Vec<_> = (0..6).map(|_| threads.spawn(restore)).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let done = outcomes.iter().filter(|code| **code == Some(0)).count();
    assert!(done == 1 && outcomes.iter().all(|code| matches!(code, Some(0 | 1))), "{outcomes:?}");
    let gateway = Gateway::sandbox(&new, &[]);
    assert_eq!(gateway.call("GET", "/readyz", &Value::Null).0, 200);
}
