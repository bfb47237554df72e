import { post, remove } from "../api";
import type { Values } from "../values";
import { plural } from "../../../www/desk/format";

export async function resend(callbackId: string): Promise<string> {
  await post(`/sandbox/callbacks/${callbackId}/resend`);
  return "The callback is sent again";
}

/** The answer to the next deliveries. */
export async function setAnswers({ status, times, delaySeconds }: Values): Promise<string> {
  const count = Number(times);
  await post("/sandbox/inbox/answers", { status: Number(status), times: count, delaySeconds: Number(delaySeconds) });
  return `The inbox answers ${status} to the next ${count === 1 ? "delivery" : plural(count, "delivery", "deliveries")}`;
}

export async function resetAnswers(): Promise<string> {
  await post("/sandbox/inbox/answers", { status: 204, times: 0 });
  return "The inbox answers 204 again";
}

export async function clearInbox(): Promise<string> {
  await remove("/sandbox/inbox");
  return "The inbox is empty";
}
