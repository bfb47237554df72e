"""Payment provider for pretix: customers pay with cryptocurrencies on the page of a Crypto Checkout gateway."""
