//! The hosted page, rendered on the server.

use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::rules::Finding;
use checkout_wire::wallet_page::WalletPage;

/// A request for the page.
#[derive(Clone, Debug)]
pub struct PageRequest {
    pub path: String,
    /// With its `?`, or empty.
    pub query: String,
    /// The page is in a frame of another page.
    pub framed: bool,
    pub found: PageLookup,
    /// A form in place of the payment, if the payment has it now.
    pub form: Option<PageForm>,
    /// UNIX milliseconds.
    pub now: u64,
}

/// The result of the lookup by URL and token.
#[derive(Clone, Debug)]
pub enum PageLookup {
    View(Box<CheckoutView>),
    /// The payment does not exist, or the token gives no access to it.
    Nothing,
    /// The store is not available.
    Unavailable,
}

/// A form that the server draws.
#[derive(Clone, Debug)]
pub enum PageForm {
    /// The payer asks for money back.
    Claim(TypedClaim),
    /// The payer looks for a transfer.
    Lookup(TypedLookup),
    /// The payer asks for a receipt by e-mail.
    Receipt(TypedReceipt),
}

/// What a payer typed who asks for a receipt by e-mail.
#[derive(Clone, Debug, Default)]
pub struct TypedReceipt {
    pub address: String,
    /// `None` before the form is sent.
    pub answer: Option<ReceiptAnswer>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptAnswer {
    /// It is sent, or was before.
    Queued,
    NoAddress,
    /// The payment had as many as it may have.
    Enough,
    /// It could not be stored, or too much was asked at once.
    NotNow,
}

/// The receipt of a paid payment, as a mail in the language of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptText {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// What a payer typed who looks for a transfer, and what was found.
#[derive(Clone, Debug, Default)]
pub struct TypedLookup {
    pub text: String,
    /// `None` before the form is sent.
    pub finding: Option<Finding>,
}

/// What a payer typed who asks for money back.
#[derive(Clone, Debug, Default)]
pub struct TypedClaim {
    /// `claimId`
    pub id: String,
    pub address: String,
    pub tag: String,
    /// Shows the address once more, if it is right.
    pub review: bool,
    /// Why it was not asked for.
    pub refusal: Option<ClaimRefusal>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimRefusal {
    /// It could not be stored.
    NotReached,
    /// The money cannot be asked for now.
    NotNow,
}

/// The parts of the page that depend on the payment. `main` and `data` are markup; the others are text.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub lang: String,
    /// `ltr` or `rtl`.
    pub dir: String,
    pub theme: String,
    pub title: String,
    pub main: String,
    /// JSON with every `<` escaped. `None` on a form, which the page's script does not follow.
    pub data: Option<String>,
}

/// The page asks what a wallet in the payer's browser is to sign.
#[derive(Clone, Debug)]
pub struct WalletRequest {
    pub path: String,
    /// With its `?`, or empty.
    pub query: String,
    pub view: Box<CheckoutView>,
    /// The account in the wallet, as the wallet wrote it.
    pub account: Option<String>,
    /// UNIX milliseconds.
    pub now: u64,
}

pub trait PageRenderer: Send + Sync {
    fn draw(&self, request: PageRequest) -> Drawing;

    fn wallet(&self, request: WalletRequest) -> WalletPage;

    /// `None` if the payment is not paid. `now` in UNIX milliseconds.
    fn receipt(&self, view: Box<CheckoutView>, locale: &str, now: u64) -> Option<ReceiptText>;

    /// The QR code of a text as an SVG, hidden from assistive technology; empty if the text is too long.
    fn qr_code(&self, text: &str) -> String;
}
