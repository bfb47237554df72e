// Messages between this script and the checkout page in the frame.
import type { CheckoutCompleteDetail, CheckoutErrorDetail, CheckoutExpiredDetail, CheckoutStatusDetail } from "./types";

export const PROTOCOL = "crypto-checkout";
const VERSION = 1;

const MAX_HEIGHT = 20_000;

type Check = (value: unknown) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value);

const paymentId = matches(/^[\w-]{1,64}$/);
const status = matches(/^[A-Z_]{1,32}$/);
const url = matches(/^.{1,2048}$/);

/** The fields of each type of message. Other fields are dropped. */
const SCHEMA: Record<keyof Details, Record<string, Check>> = {
  ready: {},
  resize: { height: (value) => Number.isFinite(value) && (value as number) > 0 && (value as number) <= MAX_HEIGHT },
  status: { paymentId, status },
  complete: { paymentId, status, redirectUrl: (value) => value === undefined || url(value) },
  expired: { paymentId },
  error: { code: matches(/^[\w-]{1,64}$/) },
  close: {},
};

interface Details {
  ready: Record<string, never>;
  resize: { height: number };
  status: CheckoutStatusDetail;
  complete: CheckoutCompleteDetail;
  expired: CheckoutExpiredDetail;
  error: CheckoutErrorDetail;
  close: Record<string, never>;
}

export type Message = { [Type in keyof Details]: { type: Type; detail: Details[Type] } }[keyof Details];

/** The message in `data`, unless it is malformed or meant for another frame. */
export function readMessage(data: any, instance: string): Message | undefined {
  if (data?.protocol !== PROTOCOL || data.version !== VERSION || data.instance !== instance) return;
  if (!Object.hasOwn(SCHEMA, data.type)) return;
  const detail: Record<string, unknown> = {};
  for (const [field, check] of Object.entries(SCHEMA[data.type as keyof Details])) {
    if (!check(data[field])) return;
    if (data[field] !== undefined) detail[field] = data[field];
  }
  return { type: data.type, detail } as Message;
}

/** Asks the page to answer to this window and instance. */
export const hello = (instance: string): object => ({ protocol: PROTOCOL, version: VERSION, instance, type: "hello" });
