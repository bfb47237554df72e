// The shop of the tests, as a merchant configures it. Its modules are those in memory; the data are in PostgreSQL.
const { defineConfig } = require("@medusajs/framework/utils");

const { DATABASE_URL, CHECKOUT_RELAY, CHECKOUT_TOKEN, CHECKOUT_SECRET } = process.env;

/** Medusa reads the folder of a socket from the place of the host. */
function databaseUrl() {
  const { searchParams, username, pathname } = new URL(DATABASE_URL);
  const folder = searchParams.get("host");
  return folder === null ? DATABASE_URL : `postgres://${username}@${encodeURIComponent(folder)}${pathname}?sslmode=disable`;
}

module.exports = defineConfig({
  projectConfig: { databaseUrl: databaseUrl() },
  admin: { disable: true },
  modules: [
    {
      resolve: "@medusajs/medusa/payment",
      options: {
        webhook_delay: 100,
        providers: [
          {
            resolve: "@crypto-checkout/medusa",
            options: {
              url: CHECKOUT_RELAY,
              token: CHECKOUT_TOKEN,
              secret: CHECKOUT_SECRET,
              redirectUrl: "http://127.0.0.1:8000/checkout/return",
            },
          },
        ],
      },
    },
  ],
});
