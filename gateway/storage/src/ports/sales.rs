//! The port of sale links.

use async_trait::async_trait;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::{Page, Period};
use checkout_domain::ports::Stored;
use checkout_domain::ports::sales::{CountedLink, SaleStore, SaleTx};
use checkout_domain::sale::slug::Slug;
use checkout_domain::sale::{SaleLink, SalePrice, Supply, Taken};
use checkout_wire::PaymentType;
use checkout_wire::rules::expires_at;
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::columns::columns;
use crate::statements::conditions::Conditions;
use crate::statements::locks;
use crate::statements::row::{Row, bad};
use crate::{Database, query};

columns! {
    "sale_links": link: SaleLink, from row;
    given {
        Once "request_hash";
    }
    fields {
        Key id = link.id => parsed;
        Once business = link.business => parsed;
        Once client_link_id = &link.client_link_id => text;
        Once slug = link.slug.as_str() => parsed;
        Once title = &link.title => text;
        Once ends_at = link.ends_at => optional_number;
        Once redirect_url = &link.redirect_url => optional_text;
        Once created_at = link.created_at => number;
        Changes withdrawn_at = link.withdrawn_at => optional_number;
    }
    columns {
        Once "currency" = link.price.fiat().code();
        Once "amount" = match link.price {
            SalePrice::Fixed { amount, .. } => Some(amount.to_string()),
            SalePrice::Open { .. } => None,
        };
        Once "min_amount" = match link.price {
            SalePrice::Fixed { .. } => None,
            SalePrice::Open { min, .. } => Some(min.to_string()),
        };
        Once "max_amount" = match link.price {
            SalePrice::Fixed { .. } => None,
            SalePrice::Open { max, .. } => Some(max.to_string()),
        };
        Once "kind" = match link.supply {
            Supply::Once => PaymentType::OneTime.as_str(),
            Supply::Stock(_) | Supply::Unlimited => PaymentType::Reusable.as_str(),
        };
        Once "stock" = match link.supply {
            Supply::Stock(pieces) => Some(pieces),
            Supply::Once | Supply::Unlimited => None,
        };
    }
    others {
        price = price(row)?;
        supply = supply(row)?;
    }
}

fn price(row: &Row) -> Stored<SalePrice> {
    let fiat = row.parsed("currency")?;
    Ok(match row.optional_decimal("amount")? {
        Some(amount) => SalePrice::Fixed { fiat, amount },
        None => SalePrice::Open { fiat, min: row.decimal("min_amount")?, max: row.decimal("max_amount")? },
    })
}

fn supply(row: &Row) -> Stored<Supply> {
    match (row.word("kind", PaymentType::known)?, row.optional_number("stock")?) {
        (PaymentType::OneTime, None) => Ok(Supply::Once),
        (PaymentType::OneTime, Some(_)) => Err(bad("stock")),
        (PaymentType::Reusable, Some(pieces)) => Ok(Supply::Stock(pieces)),
        (PaymentType::Reusable, None) => Ok(Supply::Unlimited),
    }
}

/// Behind `SELECT`, of `sale_links AS link`; `now` is the place of a parameter.
fn counted(now: &str) -> String {
    let count = |condition: &str| {
        format!(
            "(SELECT COUNT(*) FROM sales JOIN payments ON payments.id = sales.payment
              WHERE sales.link = link.id AND {condition})"
        )
    };
    let paid = count("payments.status IN ('DEPOSITED', 'OVERPAID')");
    let open = count(&format!(
        "(payments.status = 'AWAITING' OR (payments.status IN ('NEW', 'PENDING') AND payments.window_end > {now}))"
    ));
    format!("link.*, {paid} AS paid, {open} AS open")
}

/// As [`counted`], but without a count where no limit asks for it: such a link can have millions of sales.
fn limited(now: &str) -> String {
    let text = counted(now);
    let unlimited = "CASE WHEN link.kind = 'REUSABLE' AND link.stock IS NULL THEN 0 ELSE (SELECT COUNT";
    text.replace("(SELECT COUNT", unlimited).replace(") AS ", ") END AS ")
}

fn read_counted(row: &Row) -> Stored<CountedLink> {
    Ok((read(row)?, Taken { paid: row.number("paid")?, open: row.number("open")? }))
}

#[async_trait]
impl SaleStore for Database {
    async fn sale_links(&self, business: BusinessId, page: &Page, now: u64) -> Stored<Vec<CountedLink>> {
        let mut conditions = Conditions::of_business("link.business", business);
        let end = conditions.page("link.id", &Period::default(), page);
        let condition = conditions.take();
        let now = conditions.parameter(now);
        let text = format!(
            "SELECT {} FROM sale_links AS link WHERE {condition} ORDER BY link.id {end}",
            counted(&now)
        );
        Ok(page.in_order(conditions.statement(text).read_all(&self.readers, read_counted).await?))
    }

    async fn sale_link(&self, id: Uuid, now: u64) -> Stored<Option<CountedLink>> {
        let text = format!("SELECT {} FROM sale_links AS link WHERE link.id = $1", counted("$2"));
        query(text).bind(id).bind(now).read_first(&self.readers, read_counted).await
    }

    async fn sale_link_by_slug(&self, slug: &Slug, now: u64) -> Stored<Option<CountedLink>> {
        let text = format!("SELECT {} FROM sale_links AS link WHERE link.slug = $1", limited("$2"));
        query(text).bind(slug.as_str()).bind(now).read_first(&self.readers, read_counted).await
    }
}

#[async_trait]
impl SaleTx for SqlTx {
    async fn insert_sale_link(&mut self, link: &SaleLink, request_hash: &str) -> Stored<bool> {
        let insert = COLUMNS.insert([request_hash.into()], link, || "ON CONFLICT DO NOTHING".to_owned());
        insert.changed(self.now().await?).await
    }

    async fn sale_link_by_client_id(
        &mut self,
        business: BusinessId,
        client_link_id: &str,
    ) -> Stored<Option<(SaleLink, String)>> {
        query("SELECT * FROM sale_links WHERE business = $1 AND client_link_id = $2")
            .bind(business)
            .bind(client_link_id)
            .read_first(self.now().await?, |row| Ok((read(row)?, row.text("request_hash")?)))
            .await
    }

    async fn sale_link_to_sell(&mut self, id: Uuid, now: u64) -> Stored<Option<CountedLink>> {
        // First, so that a sale that another transaction committed meanwhile is counted.
        locks::hold_sale_link(self.now().await?, id).await?;
        let text = format!("SELECT {} FROM sale_links AS link WHERE link.id = $1", limited("$2"));
        query(text).bind(id).bind(now).read_first(self.now().await?, read_counted).await
    }

    async fn sale_link_of(&mut self, payment: PaymentId, now: u64) -> Stored<Option<CountedLink>> {
        let sale = query(
            "SELECT sales.link, payments.initiated_at, payments.expiration_minutes
             FROM sales JOIN payments ON payments.id = sales.payment WHERE sales.payment = $1",
        );
        let sale = sale.bind(payment).read_first(self.now().await?, |row| {
            let (begun, minutes) = (row.number("initiated_at")?, row.number("expiration_minutes")?);
            Ok((row.parsed("link")?, expires_at(PaymentType::OneTime, begun, minutes)))
        });
        match sale.await? {
            Some((link, end)) if end.is_some_and(|end| now >= end) => self.sale_link_to_sell(link, now).await,
            _ => Ok(None),
        }
    }

    async fn update_sale_link(&mut self, link: &SaleLink) -> Stored<()> {
        COLUMNS.update(std::iter::once(link)).run(self.now().await?).await
    }

    async fn insert_sale(&mut self, link: Uuid, payment: PaymentId) -> Stored<()> {
        query("INSERT INTO sales (payment, link) VALUES ($1, $2)")
            .bind(payment)
            .bind(link)
            .run(self.now().await?)
            .await
    }
}
