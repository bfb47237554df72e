//! The native part of the Python package `crypto-checkout-core`.

#[pyo3::pymodule]
mod _core {
    use pyo3::pybacked::PyBackedBytes;
    use pyo3::pyfunction;

    /// The verdict as JSON.
    #[allow(clippy::needless_pass_by_value, reason = "pyo3 passes a list by value")]
    #[pyfunction]
    #[pyo3(signature = (currency, network, address, tag, options))]
    fn validate(
        currency: &[u8],
        network: &[u8],
        address: &[u8],
        tag: Option<&[u8]>,
        options: Vec<PyBackedBytes>,
    ) -> String {
        crypto_checkout_answers::validate(currency, network, address, tag, options.iter().map(|name| &**name))
    }
}
