//! The port of businesses.

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_domain::business::Business;
use checkout_domain::business::logo::Logo;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::{Page, Period};
use checkout_domain::ports::Stored;
use checkout_domain::ports::businesses::{BusinessStore, BusinessTx, PageTerms};

use crate::changes::tx::SqlTx;
use crate::secrets::seal::{Keyring, SecretKind};
use crate::statements::conditions::Conditions;
use crate::statements::row::bad;
use crate::{Database, On, Row, locked, query, rows};

#[async_trait]
impl BusinessStore for Database {
    async fn business(&self, id: BusinessId) -> Stored<Option<Business>> {
        rows::business::find(&self.readers, &self.keys, id).await
    }

    async fn businesses(&self) -> Stored<Vec<Business>> {
        query("SELECT * FROM businesses ORDER BY created_at, id")
            .read_all(&self.readers, |row| rows::business::read(row, &self.keys))
            .await
    }

    async fn business_page(&self, page: &Page) -> Stored<Vec<Business>> {
        let mut conditions = Conditions::default();
        let end = conditions.page("id", &Period::default(), page);
        let text = format!("SELECT * FROM businesses WHERE {} ORDER BY id {end}", conditions.text());
        let read = |row: &Row| rows::business::read(row, &self.keys);
        Ok(page.in_order(conditions.statement(text).read_all(&self.readers, read).await?))
    }

    async fn signing_secrets(&self, business: &Business, now: u64) -> Stored<Vec<String>> {
        secrets(&self.readers, &self.keys, business, now).await
    }

    async fn page_terms(&self, payment: PaymentId) -> Stored<Option<PageTerms>> {
        query(
            "SELECT allowed_origins, brand_color, logo FROM businesses
             WHERE id = (SELECT business FROM payments WHERE id = $1)",
        )
        .bind(payment)
        .read_first(&self.readers, |row| {
            Ok(PageTerms {
                allowed_origins: row.list("allowed_origins", ' ')?,
                brand_color: row.optional_parsed("brand_color")?,
                logo: row.optional_text("logo")?,
            })
        })
        .await
    }

    async fn logo(&self, file: &str) -> Stored<Option<Vec<u8>>> {
        query("SELECT image FROM logos WHERE file = $1 LIMIT 1")
            .bind(file)
            .read_first(&self.readers, |row| STANDARD.decode(row.text("image")?).map_err(|_| bad("image")))
            .await
    }
}

/// The signing secrets of a business, the current one first.
pub(crate) async fn secrets<'a>(
    on: impl Into<On<'a>>,
    keys: &Keyring,
    business: &Business,
    now: u64,
) -> Stored<Vec<String>> {
    let id = business.id.to_string();
    let retired = query(
        "SELECT secret FROM retired_secrets WHERE business = $1 AND ends_at > $2 ORDER BY ends_at DESC, secret",
    )
    .bind(&id)
    .bind(now)
    .fetch_all(on)
    .await?;
    let place = SecretKind::callback_secret(&id);
    let mut secrets = vec![business.callback_secret.clone()];
    for row in retired {
        secrets.push(keys.open(&place, row.text("secret")?)?);
    }
    Ok(secrets)
}

#[async_trait]
impl BusinessTx for SqlTx {
    async fn business(&mut self, id: BusinessId) -> Stored<Option<Business>> {
        let keys = self.keys();
        rows::business::find_for_change(self.now().await?, &keys, id).await
    }

    async fn put_business(&mut self, business: &Business) -> Stored<()> {
        let keys = self.keys();
        rows::business::put(self.now().await?, &keys, business).await
    }

    async fn put_logo(&mut self, business: BusinessId, logo: Option<&Logo>) -> Stored<()> {
        query("DELETE FROM logos WHERE business = $1").bind(business).execute(self.now().await?).await?;
        let Some(Logo { file, bytes }) = logo else { return Ok(()) };
        query("INSERT INTO logos (business, file, image) VALUES ($1, $2, $3)")
            .bind(business)
            .bind(file)
            .bind(STANDARD.encode(bytes))
            .run(self.now().await?)
            .await
    }

    async fn rotate_secret(&mut self, business: BusinessId, secret: &str, until: u64) -> Stored<bool> {
        let old = query(locked!("SELECT callback_secret FROM businesses WHERE id = $1", "FOR NO KEY UPDATE"))
            .bind(business)
            .fetch_optional(self.now().await?)
            .await?;
        let Some(old) = old else { return Ok(false) };
        query("INSERT INTO retired_secrets (business, secret, ends_at) VALUES ($1, $2, $3)")
            .bind(business)
            .bind(old.text("callback_secret")?)
            .bind(until)
            .execute(self.now().await?)
            .await?;
        query("UPDATE businesses SET callback_secret = $2 WHERE id = $1")
            .bind(business)
            .bind(self.keys().seal(&SecretKind::callback_secret(&business.to_string()), secret)?)
            .execute(self.now().await?)
            .await?;
        Ok(true)
    }
}
