//! Kettle & Co, the demo shop: a merchant's web site with its own origin and back end.
//!
//! It is an example for merchants' back ends: it creates payments over HTTP with the business token, which
//! never leaves the server, and it takes the payment status from the gateway, not from the browser.

mod brand;
mod client;
mod forms;
mod kit;
mod orders;
mod pages;
mod products;
mod template;

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Response};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use checkout_gateway::site;
use serde::Deserialize;
use tokio::net::TcpListener;

pub use self::brand::brand;
use self::client::{Gateway, GatewayError};
use self::forms::Form;
pub use self::kit::Kit;
use self::orders::{Order, Orders, random_number};
use self::products::Product;

/// Attempts to find an order number that the gateway has not seen.
const ATTEMPTS: u32 = 5;

pub struct ShopSettings {
    /// URL of the gateway's API, such as `http://127.0.0.1:8080`; plain HTTP.
    pub gateway_url: String,
    /// Token of the business that the shop sells for.
    pub business_token: String,
    /// The shop's origin, as browsers see it.
    pub shop_url: String,
    /// The checkout that the shop serves itself.
    pub kit: Option<Kit>,
}

/// Serves the shop until `shutdown` completes.
pub async fn serve<F>(listener: TcpListener, settings: ShopSettings, shutdown: F) -> io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    axum::serve(listener, router(settings)?).with_graceful_shutdown(shutdown).await
}

struct Shop {
    gateway: Gateway,
    orders: Orders,
    url: String,
    kit: Option<Kit>,
}

fn router(settings: ShopSettings) -> io::Result<Router> {
    let shop = Shop {
        gateway: Gateway::new(&settings.gateway_url, &settings.business_token)?,
        orders: Orders::default(),
        url: settings.shop_url.trim_end_matches('/').to_owned(),
        kit: settings.kit,
    };
    Ok(Router::new()
        .route("/", get(front))
        .route("/buy/{product}", post(buy))
        .route("/orders/{order}", get(order))
        .route("/thanks", get(thanks))
        .route(kit::PATH, get(async |State(shop): State<Arc<Shop>>| shop.kit_file("")))
        .route(&format!("{}{{*file}}", kit::PATH), get(kit_file))
        .route("/shop.css", get(async |headers: HeaderMap| site::own_file("shop/shop.css", &headers)))
        .route("/shop.js", get(async |headers: HeaderMap| site::own_file("shop/shop.js", &headers)))
        .fallback(async || pages::not_found())
        .with_state(Arc::new(shop)))
}

async fn front() -> Response<Body> {
    pages::front()
}

async fn buy(State(shop): State<Arc<Shop>>, Path(product): Path<String>) -> Response<Body> {
    let Some(product) = products::find(&product) else { return pages::not_found() };
    match place(&shop, product).await {
        Ok(order) => {
            tracing::info!(order = order.number, "order placed");
            let page = format!("/orders/{}", order.id);
            shop.orders.add(order);
            Redirect::to(&page).into_response()
        }
        Err(error) => {
            tracing::warn!(%error, "the gateway created no payment");
            pages::not_started(&error)
        }
    }
}

/// Creates the payment of a new order.
async fn place(shop: &Shop, product: &'static Product) -> Result<Order, GatewayError> {
    let id = uuid::Uuid::new_v4().simple().to_string();
    let redirect_url = format!("{}/thanks?order={id}", shop.url);
    let mut attempts = 1;
    loop {
        let number = random_number();
        match shop.gateway.create_payment(&number, product.price, &redirect_url).await {
            Ok(created) => {
                let payment_id = created.payment_info.payment_id.into();
                let payment_url = following_the_device(&created.payment_url);
                return Ok(Order { id, number, product, payment_id, payment_url });
            }
            Err(error) if error.is_conflict() && attempts < ATTEMPTS => attempts += 1,
            Err(error) => return Err(error),
        }
    }
}

async fn kit_file(State(shop): State<Arc<Shop>>, Path(file): Path<String>) -> Response<Body> {
    shop.kit_file(&file)
}

impl Shop {
    fn kit_file(&self, path: &str) -> Response<Body> {
        self.kit.as_ref().and_then(|kit| kit.file(path)).unwrap_or_else(pages::not_found)
    }
}

#[derive(Deserialize)]
struct OrderQuery {
    /// The name of a [`Form`].
    #[serde(rename = "as", default)]
    form: String,
}

async fn order(
    State(shop): State<Arc<Shop>>,
    Path(id): Path<String>,
    query: Result<Query<OrderQuery>, QueryRejection>,
) -> Response<Body> {
    let form = query.map(|Query(query)| query.form).unwrap_or_default();
    let forms = forms::shown(shop.kit.is_some());
    let form = Form::named(&form, forms);
    shop.orders.find(&id).map_or_else(pages::not_found, |order| pages::order(&order, form, forms))
}

#[derive(Deserialize)]
struct ThanksQuery {
    order: String,
}

/// Anyone can open this URL at any time, so the status comes from the gateway.
async fn thanks(
    State(shop): State<Arc<Shop>>,
    query: Result<Query<ThanksQuery>, QueryRejection>,
) -> Response<Body> {
    let Some(order) = query.ok().and_then(|Query(query)| shop.orders.find(&query.order)) else {
        return pages::not_found();
    };
    match shop.gateway.payment(&order.payment_id).await {
        Ok(payment) => pages::thanks(&order, &payment),
        Err(error) => {
            tracing::warn!(%error, order = order.number, "the payment status could not be read");
            pages::not_known(&order, &error)
        }
    }
}

/// Makes the checkout follow the device's light or dark theme, as the shop does.
fn following_the_device(payment_url: &str) -> String {
    payment_url.replace("theme=LIGHT", "theme=AUTO").replace("theme=DARK", "theme=AUTO")
}

#[cfg(test)]
mod tests;
