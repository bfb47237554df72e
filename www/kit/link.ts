// The link of a payment, and the first look at what it opens.
import { serverTime } from "./clock";
import type { Gateway } from "./gateway";
import { inTime } from "./in_time";
import type { Facts } from "./payment";

interface Link {
  readonly paymentId: string;
  readonly token: string;
}

/** `?paymentId=…&sessionToken=…`; the token can also stand in the fragment. `undefined` if one of them is missing. */
export function linkOf(url: URL): Link | undefined {
  const fragment = new URLSearchParams(url.hash.slice(1));
  const token = url.searchParams.get("sessionToken") || fragment.get("sessionToken");
  const paymentId = url.searchParams.get("paymentId");
  // A `+` of the link is one of the token.
  return paymentId && token ? { paymentId, token: token.replaceAll(" ", "+") } : undefined;
}

/** What the server has under a link, as the module takes it from the data of its page. */
export type Found = { view: Facts } | "nothing" | "unavailable";

/** The statuses that refuse a link. */
const REFUSED = [400, 401, 403, 404, 422];

export async function look(gateway: Gateway, link: Link | undefined): Promise<{ found: Found; time: number }> {
  if (!link) return { found: "nothing", time: Date.now() };
  const headers = { Authorization: `Bearer ${link.token}`, Accept: "application/json" };
  try {
    return await inTime(async (signal) => {
      const answer = await gateway.answer(new Request(`/api/v1/checkout/${encodeURIComponent(link.paymentId)}`, { headers, signal }));
      const time = Number(answer.headers.get("X-Server-Time"));
      if (answer.ok) return { found: { view: await answer.json() }, time };
      return { found: REFUSED.includes(answer.status) ? "nothing" : "unavailable", time };
    });
  } catch {
    return { found: "unavailable", time: await serverTime(new Headers(), 0) };
  }
}
