//! The page of a form that the server draws: the frame of the payment's page.

use leptos::either::Either;
use leptos::prelude::*;

use super::Heading;
use crate::checkout::Banner;
use crate::components::Footer;
use crate::present::ViewModel;

#[component]
pub fn FormPage(
    page: ViewModel,
    screen: &'static str,
    merchant: String,
    title: String,
    children: Children,
) -> impl IntoView {
    view! {
        <main class="checkout" data-screen=screen>
            <div class="card">
                {page
                    .header
                    .map(|header| {
                        let whole = header.order.clone();
                        view! {
                            <header class="order">
                                <p class="order-merchant">{merchant}</p>
                                <p class="order-id">
                                    <span title=whole>{header.order}</span>
                                </p>
                            </header>
                        }
                    })}
                {page.banner.map(|text| view! { <Banner text=text /> })} <section class="form-page">
                    <Heading>{title}</Heading>
                    {children()}
                </section>
            </div>
            <footer class="foot">
                <Footer footer=page.footer />
            </footer>
        </main>
    }
}

/// A text in one line, marked where it is wrong.
#[component]
pub fn Mistake(pieces: Vec<(String, bool)>) -> impl IntoView {
    let piece = |(text, wrong): (String, bool)| {
        if wrong { Either::Left(view! { <mark>{text}</mark> }) } else { Either::Right(text) }
    };
    (!pieces.is_empty()).then(|| {
        view! {
            <p class="mistake" dir="ltr" data-part="mistake" data-value="">
                <code>{pieces.into_iter().map(piece).collect_view()}</code>
            </p>
        }
    })
}
