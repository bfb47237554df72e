//! Secrets in the database are sealed by a key outside it.

use std::path::Path;

use serde_json::Value;

use crate::gateway::{Gateway, on_both, run, run_with};

fn set_mode(path: &Path, mode: u32) {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(path, mode).unwrap();
}

/// Anybody on the machine could open the secrets of the database and of its backups.
#[test]
fn a_key_file_that_others_can_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("checkout.db").display());
    let file = folder.path().join("keys");
    let keys = write_keys(&file, &["1"]);
    for (mode, is_taken) in
        [(0o600, true), (0o400, true), (0o640, true), (0o644, false), (0o604, false), (0o660, false)]
    {
        set_mode(&file, mode);
        let output =
            run_with(&["business", "create", "--name", "Kettle", "--database", &database], |command| {
                command.env("CHECKOUT_SECRET_KEYS", &keys);
            });
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.success(), is_taken, "{mode:o}: {said}");
        assert!(is_taken || (said.contains("others") && !said.contains(&"1".repeat(64))), "{mode:o}: {said}");
    }
}

fn write_keys(path: &Path, digits: &[&str]) -> String {
    std::fs::write(path, digits.iter().map(|digit| digit.repeat(64) + "\n").collect::<String>()).unwrap();
    set_mode(path, 0o600);
    path.display().to_string()
}

/// The secret of a business is printed when it is made, and stored sealed from the first start with keys on. Without them
/// nothing starts, and the error says what is missing and where to name it.
#[test]
fn a_database_with_sealed_secrets_opens_only_with_its_keys() {
    on_both(|database| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys");
        let keys = write_keys(&file, &["1"]);
        let made = run(&["business", "create", "--name", "Kettle", "--json", "--database", database]);
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        let secret = made["callbackSecret"].as_str().unwrap().to_owned();
        let serve = |keys: &str| Gateway::try_start(database, &["--secret-keys", keys], |_| {});
        serve(&keys).expect("the gateway gets ready").stop("-TERM");
        if let Some(file) = database.strip_prefix("sqlite:") {
            for suffix in ["", "-wal"] {
                let bytes = std::fs::read(format!("{file}{suffix}")).unwrap_or_default();
                let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
                assert!(!found, "the secret is still in the file{suffix}");
            }
        }
        let id = made["id"].as_str().unwrap();
        let rotate = ["business", "rotate-secret", id, "--database", database];
        for (output, problem) in [
            (run(&["serve", "--listen", "127.0.0.1:0", "--database", database]), "CHECKOUT_SECRET_KEYS"),
            (run(&rotate), "CHECKOUT_SECRET_KEYS"),
            (
                run(&["serve", "--database", database, "--secret-keys", "/nowhere/keys"]),
                "/nowhere/keys cannot be read",
            ),
        ] {
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(1) && said.contains(problem), "{said}");
        }
        assert!(
            run_with(&rotate, |command| {
                command.env("CHECKOUT_SECRET_KEYS", &keys);
            })
            .status
            .success()
        );

        // A new key before the old one, a start, and the old one can go.
        serve(&write_keys(&file, &["2", "1"])).expect("the old key still opens").stop("-TERM");
        serve(&write_keys(&file, &["2"])).expect("everything was sealed by the new one").stop("-TERM");
        assert!(serve(&write_keys(&file, &["1"])).is_none());
    });
}
