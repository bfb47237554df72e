//! Secrets under keys: what is stored, what the ports give back, and what happens without the key.

use std::collections::BTreeSet;

use checkout_domain::business::Business;
use checkout_domain::business::greenfield::{Greenfield, StoreWebhook};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::businesses::BusinessStore as _;

use crate::Database;
use crate::secrets::seal::Keyring;
use crate::tests::callbacks::secrets_of;
use crate::tests::stage::{NOW, Stage};

pub(super) fn keys(digits: &[&str]) -> Keyring {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    std::fs::write(&path, digits.iter().map(|digit| digit.repeat(64) + "\n").collect::<String>()).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    Keyring::read(&path).unwrap()
}

/// Everything that is stored as a secret.
async fn stored(store: &Database) -> Vec<String> {
    let rows = store
        .texts(
            "SELECT callback_secret FROM businesses UNION ALL SELECT secret FROM retired_secrets
             UNION ALL SELECT value FROM settings WHERE key = 'token_key'",
        )
        .await;
    rows.into_iter().map(|mut row| row.remove(0).unwrap()).collect()
}

async fn rotate(store: &Database, stage: &Stage, secret: &str) {
    let mut tx = store.begin().await.unwrap();
    assert!(tx.rotate_secret(stage.business.id, secret, NOW + 10).await.unwrap());
    tx.commit().await.unwrap();
}

/// The key of derived tokens; this one, if there is none.
async fn token_key(store: &Database, new: &str) -> String {
    let mut tx = store.begin().await.unwrap();
    let key = tx.put_setting_if_absent("token_key", new).await.unwrap();
    tx.commit().await.unwrap();
    key
}

pub(super) async fn sealed_and_opened(stage: &Stage) {
    let token = token_key(&stage.store, "one").await;
    rotate(&stage.store, stage, "whsec_two").await;
    let plain = stored(&stage.store).await;
    assert_eq!(plain.len(), 4);

    let store = stage.store.clone().with_keys(keys(&["1"])).await.unwrap();
    assert_eq!(store.seal_secrets().await.unwrap(), 4);
    assert_eq!(store.seal_secrets().await.unwrap(), 0, "once");
    let sealed = stored(&store).await;
    assert!(sealed.iter().all(|text| text.starts_with("sealed:v1:")), "{sealed:?}");
    assert!(plain.iter().all(|secret| !sealed.iter().any(|text| text.contains(secret.as_str()))));

    // What is written from now on is sealed, too.
    rotate(&store, stage, "whsec_three").await;
    assert!(stored(&store).await.iter().all(|text| text.starts_with("sealed:v1:")));
    let three = ["whsec_three", "whsec_two", stage.business.callback_secret.as_str()].map(str::to_owned);
    assert_eq!(secrets_of(&store, stage).await, BTreeSet::from(three));
    assert_eq!(store.business(stage.business.id).await.unwrap().unwrap().callback_secret, "whsec_three");
    assert_eq!(token_key(&store, "two").await, token);
}

/// A new key is put before the old one; the next start seals everything by it, and the old one can go.
pub(super) async fn keys_are_rotated(stage: &Stage) {
    let open = async |digits: &[&str]| stage.store.clone().with_keys(keys(digits)).await.unwrap();
    assert_eq!(open(&["1"]).await.seal_secrets().await.unwrap(), 2);
    let both = open(&["2", "1"]).await;
    let secret = |business: Option<checkout_domain::business::Business>| business.unwrap().callback_secret;
    assert_eq!(secret(both.business(stage.other.id).await.unwrap()), stage.other.callback_secret);
    assert_eq!(both.seal_secrets().await.unwrap(), 2);
    let new = open(&["2"]).await;
    assert_eq!(new.seal_secrets().await.unwrap(), 0);
    assert_eq!(secret(new.business(stage.other.id).await.unwrap()), stage.other.callback_secret);
}

/// Nothing is given out, nothing is written over, and the error names the key and where to put it.
pub(super) async fn without_the_key(stage: &Stage) {
    let sealed = stage.store.clone().with_keys(keys(&["1"])).await.unwrap();
    sealed.seal_secrets().await.unwrap();
    let before = stored(&sealed).await;
    for without in [Keyring::default(), keys(&["2"])] {
        let problem = stage.store.clone().with_keys(without).await.unwrap_err().0.to_string();
        assert!(problem.contains("sealed by key") && problem.contains("CHECKOUT_SECRET_KEYS"), "{problem}");
    }
    let problem = stage.store.business(stage.business.id).await.unwrap_err().0.to_string();
    assert!(problem.contains(&stage.business.id.to_string()), "{problem}");
    let problem = stage.store.seal_secrets().await.unwrap_err().0.to_string();
    assert!(problem.contains("is sealed by key"), "{problem}");
    assert_eq!(stored(&sealed).await, before);
}

/// The secrets of shops' webhooks are stored with the business.
pub(super) async fn shops(stage: &Stage) {
    let webhook = StoreWebhook {
        id: "1".to_owned(),
        url: "https://shop.example/".to_owned(),
        secret: "of the shop".to_owned(),
        enabled: true,
        automatic_redelivery: true,
        events: None,
    };
    let greenfield = Greenfield { webhooks: vec![webhook], ..Greenfield::default() };
    let business = Business { greenfield: Some(greenfield), ..stage.business.clone() };
    let mut tx = stage.store.begin().await.unwrap();
    tx.put_business(&business).await.unwrap();
    tx.commit().await.unwrap();
    let text = async |store: &Database| {
        store
            .texts("SELECT greenfield FROM businesses WHERE greenfield IS NOT NULL")
            .await
            .remove(0)
            .remove(0)
            .unwrap()
    };
    assert!(text(&stage.store).await.contains("of the shop"));
    let store = stage.store.clone().with_keys(keys(&["1"])).await.unwrap();
    store.seal_secrets().await.unwrap();
    assert!(text(&store).await.starts_with("sealed:v1:"));
    assert_eq!(store.business(business.id).await.unwrap(), Some(business));
}
