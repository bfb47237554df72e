/**
 * Returns whether the gateway refuses to be embedded by this page. Browsers do not report why a frame stays
 * empty, but the same allowed origins apply to requests: the gateway answers, but a script of this origin
 * cannot read the answer.
 */
export async function isOriginRefused(paymentUrl: URL): Promise<boolean> {
  const path = paymentUrl.pathname.replace("/checkout/", "/api/v1/checkout/");
  const headers = { authorization: `Bearer ${paymentUrl.searchParams.get("sessionToken")}` };
  try {
    await fetch(new URL(path, paymentUrl), { headers });
    return false;
  } catch {
    return isReachable(new URL("/embed.js", paymentUrl));
  }
}

async function isReachable(url: URL): Promise<boolean> {
  try {
    await fetch(url, { mode: "no-cors" });
    return true;
  } catch {
    return false;
  }
}
