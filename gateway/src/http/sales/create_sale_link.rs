//! `POST /api/v1/sale-links`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::response::Response;
use checkout_core::Decimal;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::sale::slug::{self, Slug};
use checkout_domain::sale::{MAX_STOCK, SalePrice, Supply};
use checkout_wire::sale_links::{CreateSaleLink, SaleLink};
use checkout_wire::{MAX_TITLE, PaymentType};

use crate::http::Shared;
use crate::http::auth::{Bearer, ChangePayments};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::payments::create_payment::fiat_amount;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::http::requests::client_id::client_id;
use crate::http::requests::fields::Fields;
use crate::http::requests::page::LATEST;
use crate::http::resolve_business;
use crate::render::sale_link::sale_link;
use crate::service::refused::Created;
use crate::service::sales::create_sale_link::{NewLink, Stamp, create};
use crate::texts::is_blank;
use crate::texts::origin::check_link;

const ABOUT: &str = "Creates a link by which people buy without a shop: a page with the title, the price and a button. Each press makes a \
`ONE_TIME` payment of 30 minutes, whose `metadata` has the link's id as `saleLink`. Everything but its withdrawal stays as it was \
created.\n\nNever more payments are open or paid than its stock. A payment that expired is free for the next person; a deposit that comes \
after that is an ordinary late deposit, which can be refunded.\n\n`clientLinkId` makes the request idempotent: the same request returns the \
link as it is then with status 200; a different request with the same id returns 409.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createSaleLink")
        .tag(tag::SALES)
        .summary("Create a sale link")
        .description(ABOUT)
        .answers::<SaleLink>(201, "The link.")
        .answers::<SaleLink>(200, "The link of an earlier, identical request, as it is then.")
        .refuses(403, &["business_disabled"])
        .refuses(409, &["client_link_id_taken", "slug_taken"])
        .refuses(503, &["outcome_unknown"])
        .leads_to("getSaleLink", "linkId", "/linkId")
        .leads_to("withdrawSaleLink", "linkId", "/linkId")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ChangePayments>,
    Body(fields, _): Body<CreateSaleLink>,
) -> Result<Response, Refusal> {
    let read = |fields: &mut Fields| read(fields, app.policy.sandbox);
    let (business, new) = resolve_business::enabled(&app, caller, fields, read).await?;
    let stamp = Stamp { id: app.new_id(), random: app.random(), now: app.clock.now() };
    let Created { body, replayed } = create(app.store.as_ref(), &business, new, stamp).await?;
    let body = sale_link(&body, &app.public_url, stamp.now);
    Ok(created(Created { body, replayed }))
}

/// Reads the body by the rules common to all businesses.
pub fn read(fields: &mut Fields, sandbox: bool) -> Option<NewLink> {
    let client_link_id = client_id(fields, "clientLinkId");
    let title = title(fields);
    fields.require("displayCurrency");
    let fiat: Option<Fiat> =
        fields.parsed("displayCurrency", "unknown_currency", "is not a known fiat currency");
    let price = price(fields, fiat);
    let supply = supply(fields);
    let ends_at = fields.integer("endsAt", 0, LATEST);
    let about = format!(
        "must have {} to {} small letters a to z and digits, with single hyphens between them",
        slug::MIN,
        slug::MAX
    );
    let slug: Option<Slug> = fields.parsed("slug", "bad_slug", &about);
    let redirect_url = fields.text("redirectUrl");
    if let Some(error) = redirect_url.as_deref().and_then(|url| check_link(url, sandbox).err()) {
        fields.error("redirectUrl", error.code(), error.detail());
    }
    Some(NewLink {
        client_link_id: client_link_id?,
        title: title?,
        price: price?,
        supply,
        ends_at,
        slug,
        redirect_url,
    })
}

pub(in crate::http) fn title(fields: &mut Fields) -> Option<String> {
    let title = fields.required_text("title")?;
    if is_blank(&title) {
        fields.error("title", "empty", "must have a character that can be seen");
    } else if title.chars().count() > MAX_TITLE {
        fields.error("title", "too_long", format!("must have at most {MAX_TITLE} characters"));
    }
    Some(title)
}

/// One amount, or both bounds.
fn price(fields: &mut Fields, fiat: Option<Fiat>) -> Option<SalePrice> {
    let mut amount = |name| fiat_amount(fields, name, fiat);
    let (fixed, min, max) = (amount("displayAmount"), amount("minAmount"), amount("maxAmount"));
    let given = ["displayAmount", "minAmount", "maxAmount"].map(|name| fields.has(name));
    match given {
        [true, false, false] => Some(SalePrice::Fixed { fiat: fiat?, amount: fixed? }),
        [false, true, true] => open(fields, fiat?, min?, max?),
        [false, false, false] => {
            fields.error("displayAmount", "required", "is required, or minAmount and maxAmount");
            None
        }
        [false, ..] => {
            let missing = if given[1] { "maxAmount" } else { "minAmount" };
            fields.error(missing, "required", "is required: the payer types an amount between the two");
            None
        }
        [true, ..] => {
            let detail = "give either displayAmount, or minAmount and maxAmount";
            fields.error("displayAmount", "conflicting_amounts", detail);
            None
        }
    }
}

fn open(fields: &mut Fields, fiat: Fiat, min: Decimal, max: Decimal) -> Option<SalePrice> {
    if min > max {
        fields.error("maxAmount", "out_of_range", "must not be less than `minAmount`");
        return None;
    }
    Some(SalePrice::Open { fiat, min, max })
}

fn supply(fields: &mut Fields) -> Supply {
    let kind = fields.word("type", PaymentType::KNOWN, PaymentType::known).unwrap_or(PaymentType::Reusable);
    let stock = fields.integer("stock", 1, u64::from(MAX_STOCK)).and_then(|stock| u32::try_from(stock).ok());
    match (kind, stock) {
        (PaymentType::OneTime, None) => Supply::Once,
        (PaymentType::OneTime, Some(_)) => {
            fields.error("stock", "conflict", "is that of a REUSABLE link: a ONE_TIME link sells once");
            Supply::Once
        }
        (PaymentType::Reusable, Some(pieces)) => Supply::Stock(pieces),
        (PaymentType::Reusable, None) => Supply::Unlimited,
    }
}
