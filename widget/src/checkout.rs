//! The root component: the frame around every screen.

use leptos::either::EitherOf7;
use leptos::prelude::*;

use crate::components::{CopyButton, Countdown, Dispatch, Footer, Sign};
use crate::event::Act;
use crate::present::{self, Body, ViewModel};
use crate::qr;
use crate::screen::Field;
use crate::screens::{
    ChooseScreen, DoneScreen, ExpiredScreen, LoadingScreen, PayScreen, ProblemScreen, SeenScreen,
};

/// The whole checkout. A tick of the countdown changes one memo, so only the countdown is rendered again.
#[component]
pub fn Checkout(model: RwSignal<ViewModel>, dispatch: fn(Act)) -> impl IntoView {
    provide_context(Dispatch(dispatch));
    let frame = Memo::new(move |_| model.with(Frame::of));
    let countdown = Memo::new(move |_| {
        model.with(|model| model.header.as_ref().and_then(|header| header.countdown.clone()))
    });
    let settling = Memo::new(move |_| model.with(|model| model.settling));
    let [not_live, reloads] = model.with_untracked(|model| model.not_live);
    let class = move || {
        let framed = if frame.with(|frame| frame.framed) { " framed" } else { "" };
        ["checkout", framed, if settling.get() { " settling" } else { "" }].concat()
    };
    let screen = view! { <Screen model=model /> };
    view! {
        <main
            class=class
            data-screen=move || frame.with(|frame| frame.screen)
        >
            {move || view! { <Connection connection=frame.get().connection /> }}
            <div class="card">
                <p class="not-live" role="status" data-part="not-live" data-value="">
                    <span>{not_live} " " <i hidden=true>{reloads}</i></span>
                </p>
                {move || {
                    frame
                        .get()
                        .order
                        .map(|present::Header { pay_to, order, whole_order, copy, fiat, .. }| {
                            view! {
                                <header class="order">
                                    <p class="order-merchant">{pay_to}</p>
                                    <p class="order-id" on:click=move |_| dispatch(Act::Copy(Field::Reference))>
                                        <span title=whole_order>{order}</span>
                                        <CopyButton button=copy />
                                    </p>
                                    {fiat.map(|fiat| view! { <p class="order-fiat">{fiat}</p> })}
                                    {move || countdown.get().map(|countdown| view! { <Countdown countdown=countdown /> })}
                                </header>
                            }
                        })
                }} {move || frame.get().banner.map(|text| view! { <Banner text=text /> })} {screen}
            </div>
            {move || {
                let Frame { footer, announcement, .. } = frame.get();
                view! {
                    <footer class="foot">
                        <Footer footer=footer />
                    </footer>
                    <p class="offscreen" role="status">
                        {announcement}
                    </p>
                }
            }}
        </main>
    }
}

/// The parts around the screen, except the countdown.
#[derive(Clone, PartialEq)]
struct Frame {
    screen: &'static str,
    framed: bool,
    banner: Option<String>,
    /// Without its countdown.
    order: Option<present::Header>,
    connection: present::ConnectionNotice,
    footer: present::Footer,
    announcement: String,
}

impl Frame {
    fn of(model: &ViewModel) -> Self {
        Self {
            screen: model.screen,
            framed: model.framed,
            banner: model.banner.clone(),
            order: model.header.clone().map(|header| present::Header { countdown: None, ..header }),
            connection: model.connection.clone(),
            footer: model.footer.clone(),
            announcement: model.announcement.clone(),
        }
    }
}

#[component]
fn Screen(model: RwSignal<ViewModel>) -> impl IntoView {
    let body = Memo::new(move |_| model.with(|model| model.body.clone()));
    let payload = Memo::new(move |_| match &*body.read() {
        Body::Pay(pay) => pay.qr.payload.clone(),
        _ => String::new(),
    });
    // Rendered again only if the payload changes.
    let drawing = Memo::new(move |_| qr::draw(&payload.read()).map(|code| code.to_svg()).unwrap_or_default());
    move || match body.get() {
        Body::Loading { text } => EitherOf7::A(view! { <LoadingScreen text=text /> }),
        Body::Choose(choose) => EitherOf7::B(view! { <ChooseScreen choose=choose /> }),
        Body::Pay(pay) => EitherOf7::C(view! { <PayScreen pay=*pay drawing=drawing.get() /> }),
        Body::Seen(seen) => EitherOf7::D(view! { <SeenScreen seen=seen /> }),
        Body::Done(done) => EitherOf7::E(view! { <DoneScreen done=done /> }),
        Body::Expired(expired) => EitherOf7::F(view! { <ExpiredScreen expired=expired /> }),
        Body::Problem(problem) => EitherOf7::G(view! { <ProblemScreen problem=problem /> }),
    }
}

#[component]
pub(crate) fn Banner(text: String) -> impl IntoView {
    view! {
        <p class="sandbox" data-part="banner" data-value="">
            <Sign name="sandbox" />
            {text}
        </p>
    }
}

#[component]
fn Connection(connection: present::ConnectionNotice) -> impl IntoView {
    let is_busy = connection.online && !connection.text.is_empty();
    view! {
        <p
            class=if is_busy { "connection busy" } else { "connection" }
            data-part="connection"
            data-value=if connection.online { "online" } else { "offline" }
        >
            <Sign name="offline" />
            <span>{connection.text}</span>
        </p>
    }
}
