//! `checkout link`: sale links, by which people buy without a shop.

use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::ports::businesses::BusinessStore as _;
use checkout_domain::ports::sales::{CountedLink, SaleStore as _};
use checkout_domain::ports::{Clock as _, random_bytes};
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::http::requests::fields::Fields;
use checkout_gateway::http::requests::names::Names;
use checkout_gateway::http::sales::create_sale_link::read;
use checkout_gateway::render::sale_link::sale_link;
use checkout_gateway::service::refused::Refused;
use checkout_gateway::service::sales::create_sale_link::{Stamp, create};
use checkout_gateway::service::sales::withdraw_sale_link::withdraw;
use checkout_storage::Database;
use checkout_wire::FieldError;
use checkout_wire::sale_links::CreateSaleLink;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::Uuid;

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, clock, failed, new_id};

#[derive(Debug, Subcommand)]
pub(super) enum SaleLinks {
    /// Creates a sale link and prints its address.
    Create(Box<Create>),
    /// Lists the sale links of a business, newest first.
    List(ListLinks),
    /// Withdraws a sale link: it sells nothing more.
    Withdraw(Withdraw),
}

#[derive(Debug, Args)]
pub(super) struct Place {
    /// URL of the gateway for browsers.
    #[arg(long, env = "CHECKOUT_PUBLIC_URL", default_value = "http://127.0.0.1:8080")]
    public_url: String,
    #[command(flatten)]
    pub(super) args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// The business that sells.
    #[arg(long, value_name = "ID")]
    business: BusinessId,
    /// What is sold, as the payer reads it.
    #[arg(long)]
    title: String,
    /// Fiat currency of the price.
    #[arg(long, default_value = "EUR")]
    currency: String,
    /// The price. Without it the payer types an amount from --min to --max.
    #[arg(long, conflicts_with_all = ["min", "max"], required_unless_present_all = ["min", "max"])]
    price: Option<String>,
    /// The least amount that a payer can type.
    #[arg(long, requires = "max")]
    min: Option<String>,
    /// The highest amount that a payer can type.
    #[arg(long, requires = "min")]
    max: Option<String>,
    /// Ends with its first paid sale.
    #[arg(long, conflicts_with = "stock")]
    once: bool,
    /// How often it sells.
    #[arg(long)]
    stock: Option<u32>,
    /// The UNIX second from which it sells nothing.
    #[arg(long, value_name = "SECONDS")]
    ends_at: Option<u64>,
    /// The last part of its address [default: one that nobody guesses].
    #[arg(long)]
    slug: Option<String>,
    /// Where the payer returns to.
    #[arg(long, value_name = "URL")]
    redirect_url: Option<String>,
    /// Your id of the link: the same command with it makes no second link [default: a new one].
    #[arg(long, value_name = "ID")]
    client_link_id: Option<String>,
    /// For a sandbox: accepts an http address to return to.
    #[arg(long)]
    sandbox: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct ListLinks {
    /// The business that sells.
    #[arg(long, value_name = "ID")]
    business: BusinessId,
    /// Maximum number of rows.
    #[arg(long, default_value_t = 25)]
    limit: u32,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct Withdraw {
    /// The link.
    id: Uuid,
    #[command(flatten)]
    place: Place,
}

impl SaleLinks {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Create(create) => block_on(create.run()),
            Self::List(list) => block_on(list.run()),
            Self::Withdraw(withdraw) => block_on(withdraw.run()),
        }
    }
}

impl Place {
    /// Without a slash at its end.
    pub(super) fn url(&self) -> &str {
        self.public_url.trim_end_matches('/')
    }

    fn json(&self, link: &CountedLink, now: u64) -> Value {
        let link = sale_link(link, self.url(), now);
        serde_json::to_value(link).expect("a link of texts and numbers is JSON")
    }
}

impl Create {
    /// As the body of the API, so that the same rules read it.
    fn body(&self, id: Uuid) -> Value {
        json!({
            "clientLinkId": self.client_link_id.clone().unwrap_or_else(|| id.to_string()),
            "title": self.title,
            "type": self.once.then_some("ONE_TIME"),
            "displayCurrency": self.currency,
            "displayAmount": self.price,
            "minAmount": self.min,
            "maxAmount": self.max,
            "stock": self.stock,
            "endsAt": self.ends_at,
            "slug": self.slug,
            "redirectUrl": self.redirect_url,
        })
    }

    async fn run(self) -> Outcome {
        let database = self.place.args.open().await?;
        let now = clock(&database).await?.now();
        let id = new_id(now);
        let body = self.body(id).to_string();
        let fields = Fields::parse(body.as_bytes(), Names::of::<CreateSaleLink>());
        let fields = fields.map_err(|_| "The arguments cannot be read.".to_owned())?;
        let new = fields.read(|fields| read(fields, self.sandbox)).map_err(sentences)?;
        let business = database.business(self.business).await.map_err(failed)?;
        let business = business.ok_or_else(|| format!("There is no business {}.", self.business))?;
        let stamp = Stamp { id, random: random_bytes(&OsRandom), now };
        let created = create(&database, &business, new, stamp).await;
        database.close().await;
        let created = created.map_err(|refused| match refused {
            Refused::Store(error) => failed(error),
            Refused::Invalid(errors) => sentences(errors),
            Refused::Disabled => "The business is disabled.".to_owned(),
            Refused::SlugTaken => "Another sale link has this slug.".to_owned(),
            _ => "Another sale link of the business has this --client-link-id.".to_owned(),
        })?;
        let link = self.place.json(&created.body, now);
        let url = link["url"].as_str().unwrap_or_default().to_owned();
        self.place.args.say(&link, &url)
    }
}

pub(super) fn sentences(errors: Vec<FieldError>) -> String {
    let told =
        errors.into_iter().map(|error| format!("{} {}", error.pointer.trim_start_matches('/'), error.detail));
    format!("{}.", told.collect::<Vec<_>>().join("; "))
}

impl ListLinks {
    async fn run(self) -> Outcome {
        let database = self.place.args.open().await?;
        let now = clock(&database).await?.now();
        let page = Page { after: None, before: None, descending: true, limit: self.limit };
        let found = database.sale_links(self.business, &page, now).await.map_err(failed)?;
        let row = |found: &CountedLink| {
            let link = self.place.json(found, now);
            let text = |name: &str| link[name].as_str().unwrap_or_default().to_owned();
            let sold = format!("{} paid", link["paid"]);
            vec![text("linkId"), text("status"), sold, text("url"), text("title")]
        };
        self.place.args.list(&found, |found| self.place.json(found, now), row, &[])
    }
}

impl Withdraw {
    async fn run(self) -> Outcome {
        let withdraw =
            async |database: &Database, now| Ok((withdraw(database, self.id, |_| true, now).await?, now));
        let (found, now) = self.place.args.on(withdraw).await?;
        let Some(found) = found else { return Err(format!("There is no sale link {}.", self.id)) };
        self.place.args.say(&self.place.json(&found, now), "It sells nothing more.")
    }
}
