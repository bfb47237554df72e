//! Screen `choose`.

use super::heading;
use super::icons::{coin, network, sign};
use super::node::{Element, el};
use super::parts::{button, notice};
use crate::event::Act;
use crate::present::{Choice, Choose, Networks, Pick};

pub(super) fn draw(choose: Choose) -> Element {
    let back = |label| button("quiet back", Act::GoBack).child(sign("arrow-left")).text(label);
    let hint = el("p", if choose.warns { "hint warns" } else { "hint" })
        .child_if(choose.warns.then(|| sign("warning")))
        .child(el("span", "").text_of(choose.hint));
    el("section", "choose")
        .child_if(choose.back.map(back))
        .child(heading().text_of(choose.title))
        .child(hint)
        .child_if(choose.notice.map(notice))
        .child(el("ul", "choices").children(choose.choices.into_iter().map(choice)))
}

fn choice(choice: Choice) -> Element {
    let (part, icon, act) = match choice.pick {
        Pick::Currency(currency) => ("currency", coin(choice.code), Act::ChooseCurrency(currency)),
        Pick::Network(to) => ("network", network(choice.code), Act::ChooseNetwork(to)),
    };
    let name = el("span", "choice-name")
        .child(el("span", "choice-title").text_of(choice.name))
        .child(el("span", "choice-note").text_of(choice.note));
    let button = button(if choice.asking { "choice asking" } else { "choice" }, act)
        .part(part, choice.code)
        .child(icon)
        .child(name)
        .child_if(choice.networks.map(networks))
        .child(sign(if choice.asking { "spinner" } else { "arrow-right" }));
    el("li", "").child(if choice.disabled { button.attr("aria-disabled", "true") } else { button })
}

fn networks(networks: Networks) -> Element {
    el("span", "choice-networks")
        .child(el("span", "offscreen").text_of(networks.label))
        .children(networks.codes.into_iter().map(network))
}
