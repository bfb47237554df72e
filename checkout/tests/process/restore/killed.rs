//! `kill -9` at every step of a restore. Afterwards a gateway is refused, or it serves a database that is right: the
//! restored one with its addresses skipped and its payouts held, or the old one as it was.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;

use super::{Loss, address, held, names, refusal};
use crate::gateway::{Gateway, run_with};
use crate::show;

const KILLED: Option<i32> = Some(9);

/// Steps of one restore are at most this many.
const MOST: u32 = 60;

fn copy(from: &Loss) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in from.names() {
        std::fs::copy(from.path(&name), folder.path().join(&name)).unwrap();
    }
    folder
}

fn url(folder: &Path, name: &str) -> String {
    format!("sqlite:{}", folder.join(name).display())
}

/// Whether a gateway was refused. One that is not has to be right.
fn is_refused(loss: &Loss, folder: &Path, target: &str) -> bool {
    let database = url(folder, target);
    if let Some(reason) = refusal(&database) {
        assert!(reason.contains("restore"), "{reason}");
        return true;
    }
    let gateway = Gateway::sandbox(&database, &[]);
    let mut given: BTreeSet<String> = loss.given.clone();
    for number in 0..3 {
        let address = address(&gateway, &format!("after-{number}"));
        assert!(given.insert(address.clone()), "{address} is given to two payments");
    }
    let late = gateway.call("GET", "/api/v1/payments?clientPaymentId=late-0", &serde_json::Value::Null).0;
    assert_ne!(late, 500);
    assert_eq!(gateway.stop("-TERM"), Some(0));
    // The old database holds no payout, because it was never restored; it knows the payments after the backup.
    let is_old = crate::kills::books::read(
        &database,
        "SELECT COUNT(*) FROM payments WHERE client_payment_id LIKE 'late%'",
    ) == [["5"]];
    assert_eq!(held(&database).len(), usize::from(!is_old), "payouts of a restored database are held");
    false
}

fn sweep(target: &str, more: &[&str]) -> (u32, u32) {
    let loss = Loss::of(30); // A file of several pieces.
    let mut refused = 0;
    for step in 1..=MOST {
        let folder = copy(&loss);
        let from = folder.path().join("backup.db").display().to_string();
        let database = url(folder.path(), target);
        let restore = [&["restore", "--from", &from, "--database", &database], more].concat();
        let killed = run_with(&restore, |command| {
            command.env("CHECKOUT_KILL_AT", format!("restore/{step}"));
        });
        if killed.status.signal() != KILLED {
            assert!(killed.status.success(), "{}", String::from_utf8_lossy(&killed.stderr));
            assert!(!is_refused(&loss, folder.path(), target));
            return (step - 1, refused);
        }
        for name in names(folder.path()) {
            let found = std::fs::metadata(folder.path().join(&name)).unwrap();
            let rights = std::os::unix::fs::PermissionsExt::mode(&found.permissions());
            assert_eq!(rights & 0o077, 0, "{name} is private after step {step}");
        }
        refused += u32::from(is_refused(&loss, folder.path(), target));
        // The next run completes it, and leaves nothing of the first.
        let again = [&["restore", "--from", &from, "--database", &database, "--replace"][..]].concat();
        let output = run_with(&again, |_| {});
        assert!(output.status.success(), "step {step}: {}", String::from_utf8_lossy(&output.stderr));
        let left = names(folder.path());
        assert!(!left.iter().any(|name| name.contains("restoring")), "{left:?}");
        assert!(!is_refused(&loss, folder.path(), target));
    }
    panic!("a restore has more than {MOST} steps");
}

#[test]
fn a_restore_killed_at_any_step_is_refused_or_right() {
    let (new, replaced) = (sweep("new.db", &[]), sweep("old.db", &["--replace"]));
    show(&format!(
        "restore: {} kills, of which {} made a gateway refuse; served unprepared 0",
        new.0 + replaced.0,
        new.1 + replaced.1
    ));
    assert!(new.0 + replaced.0 >= 40, "{new:?} {replaced:?}");
    assert!(new.1 == new.0, "a folder without a database never becomes an empty one: {new:?}");
}
