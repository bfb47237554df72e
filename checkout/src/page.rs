//! Renders the hosted page with the widget's components.

use checkout_domain::ports::page::{
    ClaimRefusal, Drawing, PageForm, PageLookup, PageRenderer, PageRequest, ReceiptAnswer, ReceiptText,
    TypedClaim, WalletRequest,
};
use checkout_widget::page_data;
use checkout_widget::page_url::PageUrl;
use checkout_widget::present;
use checkout_widget::qr;
use checkout_widget::render;
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::wallet_page::WalletPage;
use url::Url;

pub(crate) struct WidgetPage {
    /// `https://host`, as a browser writes it.
    origin: String,
    /// Payers can ask for receipts by e-mail.
    receipts: bool,
}

impl WidgetPage {
    /// `public_url`: where payers reach the gateway.
    pub(crate) fn new(public_url: &str, receipts: bool) -> Self {
        let origin = Url::parse(public_url).map(|url| url.origin().ascii_serialization());
        Self { origin: origin.unwrap_or_default(), receipts }
    }

    fn page_url(&self, path: String, query: String) -> PageUrl {
        let secure = self.origin.starts_with("https:");
        PageUrl { path, query, secure, origin: self.origin.clone(), ..PageUrl::default() }
    }
}

impl PageRenderer for WidgetPage {
    fn draw(&self, request: PageRequest) -> Drawing {
        let PageRequest { path, query, framed, found, form, now } = request;
        let url = PageUrl { framed, ..self.page_url(path, query) };
        if let (Some(form), PageLookup::View(view)) = (form, &found) {
            let (url, view) = (url.clone(), view.clone());
            let drawn = match form {
                PageForm::Claim(typed) => render::draw_claim(url, view, &claim_of(typed), now),
                PageForm::Lookup(typed) => {
                    render::draw_lookup(url, view, (&typed.text, typed.finding.as_ref()), now)
                }
                PageForm::Receipt(_) if !self.receipts => None,
                PageForm::Receipt(typed) => {
                    render::draw_receipt(url, view, (&typed.address, typed.answer.map(requested)), now)
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
        drawing(render::draw(url, found, self.receipts, now))
    }

    fn wallet(&self, request: WalletRequest) -> WalletPage {
        let WalletRequest { path, query, view, account, now } = request;
        render::wallet_page(self.page_url(path, query), view, account.as_deref(), now)
    }

    fn receipt(&self, view: Box<CheckoutView>, locale: &str, now: u64) -> Option<ReceiptText> {
        let render::Mail { subject, text, html } = render::receipt(view, locale, now)?;
        Some(ReceiptText { subject, text, html })
    }

    fn qr_code(&self, text: &str) -> String {
        qr::draw(text).map(|code| code.to_svg()).unwrap_or_default()
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

fn requested(answer: ReceiptAnswer) -> present::Requested {
    match answer {
        ReceiptAnswer::Queued => present::Requested::Queued,
        ReceiptAnswer::NoAddress => present::Requested::NoAddress,
        ReceiptAnswer::Enough => present::Requested::Enough,
        ReceiptAnswer::NotNow => present::Requested::NotNow,
    }
}
