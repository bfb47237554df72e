//! Creates a sale link.

use checkout_domain::business::Business;
use checkout_domain::ports::Store;
use checkout_domain::ports::sales::CountedLink;
use checkout_domain::sale::slug::Slug;
use checkout_domain::sale::{SaleLink, SalePrice, Supply, Taken};
use checkout_wire::FieldError;
use serde_json::json;
use uuid::Uuid;

use crate::service::payments::payment_request::unshown;
use crate::service::refused::{ClientId, Created, Refused, no_errors};
use crate::service::request_hash::hash;

/// A valid request.
#[derive(Clone, Debug)]
pub struct NewLink {
    pub client_link_id: String,
    pub title: String,
    pub price: SalePrice,
    pub supply: Supply,
    pub ends_at: Option<u64>,
    pub slug: Option<Slug>,
    pub redirect_url: Option<String>,
}

impl NewLink {
    /// SHA-256 of the request's meaning.
    fn hash(&self) -> String {
        let amounts = match self.price {
            SalePrice::Fixed { amount, .. } => vec![amount],
            SalePrice::Open { min, max, .. } => vec![min, max],
        };
        let amounts: Vec<String> = amounts.iter().map(|amount| amount.normalize().to_string()).collect();
        hash(&json!([
            self.client_link_id,
            self.title,
            self.price.fiat().code(),
            amounts,
            self.supply == Supply::Once,
            self.supply.most(),
            self.ends_at,
            self.slug.as_ref().map(Slug::as_str),
            self.redirect_url,
        ]))
    }
}

/// What a new link gets.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    pub id: Uuid,
    /// For its slug, if the request names none.
    pub random: [u8; 16],
    pub now: u64,
}

/// The same request has the same link, as it is now.
pub async fn create(
    store: &dyn Store,
    business: &Business,
    new: NewLink,
    stamp: Stamp,
) -> Result<Created<CountedLink>, Refused> {
    let (hash, now) = (new.hash(), stamp.now);
    if business.disabled {
        return Err(Refused::Disabled);
    }
    let over = new.ends_at.filter(|at| *at <= now);
    let over = over.map(|_| FieldError::of("endsAt", "out_of_range", "must be in the future"));
    // Only new requests are checked against the clock and the current settings.
    let valid = no_errors(unshown(business, Some(new.price.fiat())).into_iter().chain(over));
    let link = SaleLink {
        id: stamp.id,
        business: business.id,
        client_link_id: new.client_link_id,
        slug: new.slug.unwrap_or_else(|| Slug::from_random(stamp.random)),
        title: new.title,
        price: new.price,
        supply: new.supply,
        ends_at: new.ends_at,
        redirect_url: new.redirect_url,
        created_at: now,
        withdrawn_at: None,
    };
    let mut tx = store.begin().await?;
    if valid.is_ok() && tx.insert_sale_link(&link, &hash).await? {
        if let Err(error) = tx.commit().await
            && !(error.is_unknown() && matches!(store.sale_link(link.id, now).await, Ok(Some(_))))
        {
            return Err(error.into());
        }
        return Ok(Created { body: (link, Taken::default()), replayed: false });
    }
    let known = tx.sale_link_by_client_id(business.id, &link.client_link_id).await?;
    drop(tx);
    match known {
        Some((known, known_hash)) if known_hash == hash => {
            let found = store.sale_link(known.id, now).await?.ok_or(Refused::NoSaleLink)?;
            Ok(Created { body: found, replayed: true })
        }
        Some(_) => Err(Refused::Taken(ClientId::SaleLink)),
        None => Err(valid.err().unwrap_or(Refused::SlugTaken)),
    }
}
