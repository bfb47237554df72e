//! The native part of the Python package `crypto-checkout-core`.

#[pyo3::pymodule]
mod _core {
    use pyo3::pyfunction;

    /// The verdict as JSON.
    #[pyfunction]
    #[pyo3(signature = (currency, network, address, tag, options))]
    fn validate(currency: &str, network: &str, address: &str, tag: Option<&str>, options: &str) -> String {
        crypto_checkout_answers::validate(currency, network, address, tag, options)
    }
}
