//! Renders the hosted page with the widget's components.

use checkout_core::wire::wallet_page::WalletPage;
use checkout_domain::ports::page::{
    ClaimRefusal, Drawing, PageForm, PageLookup, PageRenderer, PageRequest, TypedClaim, WalletRequest,
};
use checkout_widget::page_data;
use checkout_widget::page_url::PageUrl;
use checkout_widget::present;
use checkout_widget::render;

pub(crate) struct WidgetPage;

impl PageRenderer for WidgetPage {
    fn draw(&self, request: PageRequest) -> Drawing {
        let PageRequest { path, query, framed, origin, found, form, now } = request;
        let secure = origin.starts_with("https:");
        let url = PageUrl { path, query, framed, secure, origin, ..PageUrl::default() };
        if let (Some(form), PageLookup::View(view)) = (form, &found) {
            let (url, view) = (url.clone(), view.clone());
            let drawn = match form {
                PageForm::Claim(typed) => render::draw_claim(url, view, &claim_of(typed), now),
                PageForm::Lookup(typed) => {
                    render::draw_lookup(url, view, (&typed.text, typed.finding.as_ref()), now)
                }
            };
            if let Some(drawn) = drawn {
                return drawing(drawn);
            }
        }
        let found = match found {
            PageLookup::View(view) => page_data::Found::View(view),
            PageLookup::Nothing => page_data::Found::Nothing,
            PageLookup::Unavailable => page_data::Found::Unavailable,
        };
        drawing(render::draw(url, found, now))
    }

    fn wallet(&self, request: WalletRequest) -> WalletPage {
        let WalletRequest { path, query, origin, view, account, now } = request;
        let secure = origin.starts_with("https:");
        let url = PageUrl { path, query, secure, origin, ..PageUrl::default() };
        render::wallet_page(url, view, account.as_deref(), now)
    }
}

fn drawing(drawing: render::Drawing) -> Drawing {
    Drawing {
        lang: drawing.lang.to_owned(),
        dir: drawing.dir.to_owned(),
        theme: drawing.theme.to_owned(),
        title: drawing.title,
        main: drawing.main,
        data: drawing.data,
    }
}

fn claim_of(typed: TypedClaim) -> present::TypedClaim {
    let TypedClaim { id, address, tag, review, refusal } = typed;
    let refusal = refusal.map(|refusal| match refusal {
        ClaimRefusal::NotReached => present::NotAsked::NotReached,
        ClaimRefusal::NotNow => present::NotAsked::NotNow,
    });
    present::TypedClaim { id, address, tag, review, refusal }
}
