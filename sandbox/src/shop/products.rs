//! The products for sale.

pub(super) struct Product {
    pub(super) slug: &'static str,
    pub(super) name: &'static str,
    /// In EUR.
    pub(super) price: &'static str,
}

pub(super) static PRODUCTS: [Product; 2] = [
    Product { slug: "kettle", name: "The Long Pour kettle", price: "64.00" },
    Product { slug: "tea", name: "A tin of Sencha", price: "14.50" },
];

pub(super) fn find(slug: &str) -> Option<&'static Product> {
    PRODUCTS.iter().find(|product| product.slug == slug)
}
