use leptos::either::Either;
use leptos::prelude::*;

use super::Heading;
use crate::components::{
    Coin, CopyButton, NetworkEmblem, Notice, QrCode, QrSwitch, Sentence, Sign, StatusLine, Support, dispatch,
    instead,
};
use crate::event::Act;
use crate::page_url::{ALL, FIELD};
use crate::present::{Address, AmountLine, Arrived, Help, Pay, Rate, Sentence as Words, Tag, Wallet};
use crate::state::Field;

/// The amount, the address and the network: the screens `pay` and `partial`. `drawing` is the QR code as an
/// SVG.
#[component]
pub fn PayScreen(pay: Pay, drawing: String) -> impl IntoView {
    view! {
        <section class="pay">
            <PayHead
                currency=pay.currency.code()
                network=pay.network.map(checkout_core::Network::code)
                send_only=pay.send_only
                arrived=pay.arrived
            />
            {pay.news.map(|text| view! { <News text=text /> })}
            <div class="facts">
                <Amount line=pay.amount />
                {pay.tag.map(|tag| view! { <TagFact tag=tag /> })} <AddressFact address=pay.address />
                {pay.copy_failed.map(|text| view! { <Notice text=text /> })}
            </div>
            <div class="scan">
                <QrCode payload=pay.qr.payload label=pay.qr.label drawing=drawing />
                {pay.qr.switch.map(|label| view! { <QrSwitch mode=pay.qr.mode label=label /> })}
                {pay.wallet.map(|wallet| view! { <OpenWallet wallet=wallet /> })}
            </div>
            <div class="pay-foot">
                <StatusLine status=pay.status /> {pay.rate.map(|rate| view! { <ExchangeRate rate=rate /> })}
                <ExchangeHelp help=pay.help />
                {pay.change_currency.map(|label| view! { <ChangeCurrency label=label /> })}
                {pay.support.map(|support| view! { <Support support=support /> })}
            </div>
        </section>
    }
}

#[component]
fn PayHead(
    currency: &'static str,
    network: Option<&'static str>,
    send_only: Words,
    arrived: Option<Arrived>,
) -> impl IntoView {
    let emblems = view! {
        <span class="pair">
            <Coin code=currency />
            {network.map(|code| view! { <NetworkEmblem code=code /> })}
        </span>
    };
    let sentence = view! { <Sentence sentence=send_only /> };
    view! {
        <div class="pay-head">
            {match arrived {
                None => {
                    Either::Left(
                        view! {
                            <h1 tabindex="-1" data-heading="" class="send-only">
                                {emblems}
                                {sentence}
                            </h1>
                        },
                    )
                }
                Some(arrived) => {
                    Either::Right(
                        view! {
                            <Heading>{arrived.title}</Heading>
                            <p class="hint">{arrived.text}</p>
                            <p class="send-only">{emblems} {sentence}</p>
                        },
                    )
                }
            }}
        </div>
    }
}

#[component]
fn Amount(line: AmountLine) -> impl IntoView {
    let shown = line.value.clone();
    let act = dispatch();
    view! {
        <div class="fact">
            <p class="label">{line.label}</p>
            <div class="fact-row" on:click=move |_| act(Act::Copy(Field::Amount))>
                <p class=line.class>
                    <bdi dir="ltr" translate="no" data-part=line.part data-value=line.value>
                        {shown}
                    </bdi>
                    " "
                    <span class="amount-code">{line.code}</span>
                </p>
                <CopyButton button=line.copy />
            </div>
        </div>
    }
}

#[component]
fn AddressFact(address: Address) -> impl IntoView {
    let groups = address.groups.into_iter();
    let act = dispatch();
    view! {
        <div class="fact">
            <p class="label">{address.label}</p>
            <div class="fact-row" on:click=move |_| act(Act::Copy(Field::Address))>
                <bdi class="address" dir="ltr" translate="no" data-part="address" data-value=address.value>
                    {groups
                        .map(|group| {
                            view! {
                                <span>{group}</span>
                                <wbr />
                            }
                        })
                        .collect_view()} <strong class="address-tail">{address.tail}</strong>
                </bdi>
                <CopyButton button=address.copy />
            </div>
        </div>
    }
}

#[component]
fn TagFact(tag: Tag) -> impl IntoView {
    let shown = tag.value.clone();
    let act = dispatch();
    view! {
        <div class="fact tag">
            <p class="label">
                <Sign name="warning" />
                <span>{tag.label}</span>
                <span class="badge">{tag.required}</span>
            </p>
            <div class="fact-row" on:click=move |_| act(Act::Copy(Field::Tag))>
                <bdi class="tag-value" dir="ltr" translate="no" data-part="tag" data-value=tag.value>
                    {shown}
                </bdi>
                <CopyButton button=tag.copy />
            </div>
            <p class="tag-warning">{tag.warning}</p>
        </div>
    }
}

#[component]
fn OpenWallet(wallet: Wallet) -> impl IntoView {
    view! {
        <a
            class="button"
            data-part="open-wallet"
            data-value=""
            href=wallet.href
            target="_blank"
            rel="noopener noreferrer"
        >
            <Sign name="wallet" />
            <span>{wallet.label}</span>
        </a>
    }
}

#[component]
fn ExchangeRate(rate: Rate) -> impl IntoView {
    view! {
        <details class="help">
            <summary>
                <span>{rate.title}</span>
                <Sign name="chevron-down" />
            </summary>
            <p data-part="rate" data-value="">{rate.text}</p>
        </details>
    }
}

/// A change that the payer did not cause.
#[component]
fn News(text: String) -> impl IntoView {
    view! {
        <p class="notice" data-part="news" data-value="">
            <Sign name="warning" />
            <span>{text}</span>
        </p>
    }
}

#[component]
fn ExchangeHelp(help: Help) -> impl IntoView {
    view! {
        <details class="help">
            <summary>
                <span>{help.question}</span>
                <Sign name="chevron-down" />
            </summary>
            <p>{help.answer}</p>
        </details>
    }
}

#[component]
fn ChangeCurrency(label: &'static str) -> impl IntoView {
    let act = dispatch();
    view! {
        <form method="post">
            <button
                type="submit"
                name=FIELD
                value=ALL
                class="quiet"
                data-part="change-currency"
                data-value=""
                on:click=instead(act, Act::ChangeCurrency)
            >
                {label}
            </button>
        </form>
    }
}
