//! The screen that asks for an amount.

use leptos::either::Either;
use leptos::ev::MouseEvent;
use leptos::prelude::*;

use super::Heading;
use crate::components::{
    Coin, CopyButton, Deposits, Elsewhere, NetworkEmblem, Notice, QrCode, QrSwitch, Sentence, Sign,
    StatusLine, ToForm, dispatch, instead,
};
use crate::event::Act;
use crate::page_url::{ALL, FIELD};
use crate::present::{Address, AmountLine, Arrived, Help, Pay, Qr, Sentence as Words, Tag, Wallet};
use crate::screen::Field;

/// The amount, the address and the network: the screens `pay` and `partial`. `drawing` is the QR code as an
/// SVG.
#[component]
pub fn PayScreen(pay: Pay, drawing: String) -> impl IntoView {
    let mut wallets = pay.wallets.into_iter();
    let first = wallets.next();
    let others = wallets.map(|wallet| view! { <OpenWallet wallet=wallet class="quiet" /> }).collect_view();
    let wallet_first = first.clone().filter(|_| pay.qr.unfold.is_some()).map(|wallet| {
        view! {
            <div class="wallet-first">
                <OpenWallet wallet=wallet class="button primary" /> {others}
            </div>
        }
    });
    let address = view! { <AddressFact address=pay.address /> };
    let failed = pay.copy_failed.map(|text| view! { <Notice part="not-copied" text=text /> });
    let no_wallet = pay.no_wallet.map(|text| view! { <Notice part="no-wallet" text=text /> });
    let scan = view! { <Scan qr=pay.qr wallet=first drawing=drawing /> };
    let amount = view! { <Amount line=pay.amount worth=pay.worth /> };
    let facts = match pay.tag {
        None => Either::Left(view! {
            // `www/wallet/` offers the wallets of this browser there.
            <div class="wallets" data-part="wallets" data-value=""></div>
            {wallet_first}
            <div class="facts">{no_wallet} {amount} {address} {failed}</div>
            {scan}
        }),
        // The payer goes by the tag on the way to the address. `details` works without script.
        Some(tag) => {
            let noted = tag.noted;
            let steps = tag.steps.map(|step| view! { <li>{step}</li> });
            Either::Right(view! {
                <ol class="path">{steps.collect_view()}</ol>
                <div class="facts">{amount} <TagFact tag=tag /></div>
                <details class="tag-step">
                    <summary class="button primary" data-part="tag-noted" data-value="">
                        <span>{noted}</span>
                        <Sign name="chevron-down" />
                    </summary>
                    <div class="tag-step-body">
                        {wallet_first}
                        <div class="facts">{no_wallet} {address} {failed}</div>
                        {scan}
                    </div>
                </details>
            })
        }
    };
    view! {
        <section class="pay">
            <div class="pay-head">
                <PayHead
                    currency=pay.currency.code()
                    network=pay.network.map(checkout_core::Network::code)
                    send_only=pay.send_only
                    arrived=pay.arrived
                />
                {pay.news.map(|text| view! { <Notice part="news" text=text /> })}
                {pay.small_rest.map(|text| view! { <Notice part="small-rest" text=text /> })}
            </div>
            {facts}
            <div class="pay-foot">
                <StatusLine status=pay.status /> <Deposits deposits=pay.deposits /> <ExchangeHelp help=pay.help />
                {pay.change_currency.map(|label| view! { <ChangeCurrency label=label /> })}
                <ToForm class="quiet" part="lookup" link=pay.lookup /> {pay.support.map(|link| view! { <Elsewhere part="support" link=link /> })}
            </div>
        </section>
    }
}

/// The QR code with what belongs to it. On a phone it is folded where its own wallet can be opened.
#[component]
fn Scan(qr: Qr, wallet: Option<Wallet>, drawing: String) -> impl IntoView {
    view! {
        <div class="scan">
            {qr.unfold.map(|label| view! { <Unfold label=label /> })}
            <QrCode payload=qr.payload label=qr.label drawing=drawing />
            {qr.hint.map(|text| view! { <p class="hint">{text}</p> })}
            {qr.switch.map(|label| view! { <QrSwitch mode=qr.mode label=label /> })}
            {wallet.map(|wallet| view! { <OpenWallet wallet=wallet class="button" /> })}
            <HandOver label=qr.hand_over />
        </div>
    }
}

#[component]
fn Unfold(label: &'static str) -> impl IntoView {
    view! {
        <label class="switch unfold" data-part="show-qr" data-value="">
            <input class="offscreen" type="checkbox" role="switch" autocomplete="off" />
            <span class="switch-track" aria-hidden="true"></span>
            <span>{label}</span>
        </label>
    }
}

#[component]
fn HandOver(label: &'static str) -> impl IntoView {
    let act = dispatch();
    view! {
        <button
            type="button"
            class="quiet hand-over"
            data-part="hand-over"
            data-value=""
            on:click=move |_| act(Act::HandOver)
        >
            {label}
        </button>
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
        <div>
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
                            <progress max="100" value=arrived.percent aria-hidden="true"></progress>
                            <p class="send-only">{emblems} {sentence}</p>
                        },
                    )
                }
            }}
        </div>
    }
}

#[component]
fn Amount(line: AmountLine, worth: Option<String>) -> impl IntoView {
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
            {worth
                .map(|text| {
                    view! {
                        <p class="worth" data-part="rate" data-value="">
                            {text}
                        </p>
                    }
                })}
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
            <p class="worth">{address.checked}</p>
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
fn OpenWallet(wallet: Wallet, class: &'static str) -> impl IntoView {
    let act = dispatch();
    let is_scheme = wallet.is_scheme;
    // A scheme that nobody has registered would leave an empty tab.
    let target = (!is_scheme).then_some("_blank");
    let pressed = move |event: MouseEvent| {
        if is_scheme {
            instead(act, Act::OpenWallet)(event);
        }
    };
    view! {
        <a
            class=class
            data-part="open-wallet"
            data-value=""
            href=wallet.href
            target=target
            rel="noopener noreferrer"
            on:click=pressed
        >
            <Sign name="wallet" />
            <span>{wallet.label}</span>
        </a>
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
