// The state of the page. Components read it; `update` changes it and renders again.
import type {
  Credentials,
  Currency,
  Delivery,
  FieldError,
  Overview,
  PaymentDetail,
  PaymentSummary,
  Rate,
  Withdrawal,
} from "./model";
import { type Route, routeOf } from "./route";

export type DialogName = "new" | "whitelist" | "withdraw";

/** The form in the dialog. */
export interface Dialog {
  name: DialogName;
  errors: FieldError[];
  /** Its current values. */
  values: Record<string, string>;
  /** Its initial values. */
  initial: Record<string, string>;
  /** The suggested id. */
  suggestedId: string;
  /** The cost of its withdrawal. */
  preview: Withdrawal | null;
}

export interface Message {
  id: number;
  text: string;
  failed: boolean;
  /** The request as a curl command. */
  curl: string | null;
}

export interface State {
  route: Route;
  /** `null` until the first answer. */
  connected: boolean | null;
  /** Time of the gateway's last answer, in seconds. */
  answeredAt: number;
  overview: Overview | null;
  /** Lists are `null` until they are loaded. */
  payments: PaymentSummary[] | null;
  olderPayments: PaymentSummary[];
  hasOlderPayments: boolean;
  /** The filter of the list. */
  status: string;
  search: string;
  detail: PaymentDetail | null;
  detailMissing: boolean;
  inbox: Delivery[] | null;
  showRawBody: boolean;
  credentials: Credentials | null;
  /** Rates of all coins in the currency `to`; `from` is the coin that the form shows. */
  rates: { from: string; to: string; rates: Rate[] } | null;
  currencies: Currency[] | null;
  /** Names of running actions. */
  busy: Set<string>;
  message: Message | null;
  dialog: Dialog | null;
}

export const state: State = {
  route: routeOf(location.hash),
  connected: null,
  answeredAt: 0,
  overview: null,
  payments: null,
  olderPayments: [],
  hasOlderPayments: false,
  status: "",
  search: "",
  detail: null,
  detailMissing: false,
  inbox: null,
  showRawBody: false,
  credentials: null,
  rates: null,
  currencies: null,
  busy: new Set(),
  message: null,
  dialog: null,
};

let draw = () => {};

export function onUpdate(callback: () => void): void {
  draw = callback;
}

export function update(change: Partial<State>): void {
  Object.assign(state, change);
  draw();
}

export function updateDialog(change: Partial<Dialog>): void {
  if (state.dialog) update({ dialog: { ...state.dialog, ...change } });
}
