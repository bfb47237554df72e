//! An empty page, for a gateway without the widget's renderer.

use checkout_domain::ports::page::{Drawing, PageRenderer, PageRequest, ReceiptText, WalletRequest};
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::wallet_page::WalletPage;

pub struct BlankPage;

impl PageRenderer for BlankPage {
    fn draw(&self, _: PageRequest) -> Drawing {
        let text = str::to_owned;
        Drawing {
            lang: text("en"),
            dir: text("ltr"),
            theme: text("AUTO"),
            title: text("Checkout"),
            data: Some(text("null")),
            ..Drawing::default()
        }
    }

    fn wallet(&self, _: WalletRequest) -> WalletPage {
        WalletPage::default()
    }

    fn receipt(&self, _: Box<CheckoutView>, _: &str, _: u64) -> Option<ReceiptText> {
        None
    }

    fn qr_code(&self, _: &str) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_owned()
    }
}
