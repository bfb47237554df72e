// The dialog of the payer's page, under the names that shops call: window.btcpay.
(() => {
  const own = document.currentScript?.src ?? "";
  let base = own ? new URL("..", own).href : "/";
  const listeners = { enter: () => {}, leave: () => {}, message: () => {} };
  /** What a shop reads beside the id. Part of the price is no news for it. */
  const told = { DEPOSITED: "settled", OVERPAID: "settled", EXPIRED: "expired" };
  let shown;

  const tell = (data) => listeners.message({ data, origin: new URL(base, document.baseURI).origin });

  function hideFrame() {
    if (!shown) return;
    shown.remove();
    shown = undefined;
    listeners.leave();
  }

  async function showInvoice(invoiceId) {
    hideFrame();
    const checkout = document.createElement("crypto-checkout");
    checkout.setAttribute("mode", "modal");
    checkout.setAttribute("payment-url", `${base}i/${encodeURIComponent(invoiceId)}`);
    checkout.addEventListener("checkout:status", ({ detail }) => {
      const status = told[detail.status];
      if (status) tell({ invoiceId, status });
    });
    checkout.addEventListener("checkout:close", () => {
      hideFrame();
      tell("close");
    });
    checkout.addEventListener("checkout:ready", () => tell("loaded"));
    shown = checkout;
    listeners.enter();
    await import(`${base}embed.js`);
    if (shown === checkout) document.body.append(checkout);
  }

  window.btcpay = {
    showInvoice,
    showFrame: () => {},
    hideFrame,
    setApiUrlPrefix: (url) => (base = `${String(url).replace(/\/+$/, "")}/`),
    onModalWillEnter: (listener) => (listeners.enter = listener),
    onModalWillLeave: (listener) => (listeners.leave = listener),
    onModalReceiveMessage: (listener) => (listeners.message = listener),
  };
})();
