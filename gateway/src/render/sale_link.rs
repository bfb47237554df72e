//! A sale link.

use checkout_domain::ports::sales::CountedLink;
use checkout_domain::sale::{LinkState, SalePrice, Supply};
use checkout_wire::PaymentType;
use checkout_wire::sale_links::{SaleLink, SaleLinkStatus};

/// The link as it is now; `public_url` is the gateway's.
pub fn sale_link((link, taken): &CountedLink, public_url: &str, now: u64) -> SaleLink {
    let fiat = link.price.fiat();
    let text = |amount| fiat.text(amount).into();
    let (fixed, bounds) = match link.price {
        SalePrice::Fixed { amount, .. } => (Some(text(amount)), None),
        SalePrice::Open { min, max, .. } => (None, Some((text(min), text(max)))),
    };
    let (min_amount, max_amount) = bounds.unzip();
    let (kind, stock) = match link.supply {
        Supply::Once => (PaymentType::OneTime, None),
        Supply::Stock(pieces) => (PaymentType::Reusable, Some(pieces)),
        Supply::Unlimited => (PaymentType::Reusable, None),
    };
    SaleLink {
        link_id: link.id.to_string().into(),
        client_link_id: link.client_link_id.clone().into(),
        status: status(link.state(*taken, now)).into(),
        url: format!("{public_url}/buy/{}", link.slug).into(),
        slug: link.slug.as_str().into(),
        title: link.title.clone().into(),
        kind: kind.into(),
        display_currency: fiat.code().into(),
        display_amount: fixed,
        min_amount,
        max_amount,
        stock,
        paid: taken.paid,
        open: taken.open,
        ends_at: link.ends_at.map(Into::into),
        redirect_url: link.redirect_url.clone().map(Into::into),
        created_at: link.created_at.into(),
        withdrawn_at: link.withdrawn_at.map(Into::into),
    }
}

fn status(state: LinkState) -> SaleLinkStatus {
    match state {
        LinkState::Open => SaleLinkStatus::Open,
        LinkState::SoldOut { .. } => SaleLinkStatus::SoldOut,
        LinkState::Ended { .. } => SaleLinkStatus::Ended,
        LinkState::Withdrawn { .. } => SaleLinkStatus::Withdrawn,
    }
}
