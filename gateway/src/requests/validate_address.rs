//! The body of the deprecated `POST /api/v1/addresses/validate`.

use crate::requests::fields::Fields;

/// The request: any texts, which the core validates.
#[derive(Clone, Debug)]
pub struct ValidationRequest {
    pub currency: String,
    pub network: String,
    pub address: String,
    pub tag: Option<String>,
}

impl ValidationRequest {
    pub fn read(fields: &mut Fields) -> Option<Self> {
        let currency = fields.required_any_text("currency");
        let network = fields.required_any_text("network");
        let address = fields.required_any_text("address");
        let tag = fields.any_decimal_text("destinationTag");
        fields.is_valid().then_some(())?;
        Some(Self { currency: currency?, network: network?, address: address?, tag })
    }
}
