// The client of the Greenfield API from npm, generated from the published document, in front of a sandbox gateway.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as client from "btcpay-greenfield-node-client";

const { GREENFIELD_URL: url, GREENFIELD_STORE: storeId, GREENFIELD_KEY: key } = process.env;
client.OpenAPI.BASE = url;
client.OpenAPI.TOKEN = key;

test("a key, its store, and the server", async () => {
  assert.equal((await client.ApiKeysService.getApiKeysService()).apiKey, key);
  assert.deepEqual((await client.StoresService.storesGetStores()).map((store) => store.id), [storeId]);
  assert.equal((await client.ServerInfoService.serverInfoGetServerInfo()).fullySynched, true);
});

test("an invoice is created, read, listed and ended", async () => {
  const { invoicesCreateInvoice, invoicesGetInvoice, invoicesMarkInvoiceStatus } = client.InvoicesService;
  const requestBody = { amount: "12.00", currency: "EUR", metadata: { orderId: "node-1" } };
  const invoice = await invoicesCreateInvoice({ storeId, requestBody });
  assert.equal(invoice.status, "New");
  assert.deepEqual(await invoicesGetInvoice({ storeId, invoiceId: invoice.id }), invoice);
  const opened = await fetch(`${url}/i/${invoice.id}`, { redirect: "manual" });
  assert.equal(opened.headers.get("location"), invoice.checkoutLink);
  const all = await client.InvoicesService.invoicesGetInvoices({ storeId });
  assert.ok(all.some((one) => one.id === invoice.id));
  const ended = await invoicesMarkInvoiceStatus({ storeId, invoiceId: invoice.id, requestBody: { status: "Invalid" } });
  assert.equal(ended.status, "Expired");
});

test("an invoice that no payment can be is refused", async () => {
  const requestBody = { amount: "0", currency: "EUR" };
  await assert.rejects(client.InvoicesService.invoicesCreateInvoice({ storeId, requestBody }));
});

test("a webhook is created, read and deleted", async () => {
  const { postWebhooksService, webhokksGetWebhook, webhokksGetWebhooks, deleteWebhooksService } = client.WebhooksService;
  const requestBody = { url: "http://127.0.0.1:9/hook", authorizedEvents: { everything: true } };
  const { id, secret } = await postWebhooksService({ storeId, requestBody });
  assert.ok(secret);
  assert.equal((await webhokksGetWebhook({ storeId, webhookId: id })).url, requestBody.url);
  await deleteWebhooksService({ storeId, webhookId: id });
  assert.deepEqual(await webhokksGetWebhooks({ storeId }), []);
});
