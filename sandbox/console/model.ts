// The gateway's answers, as far as the console shows them. Amounts and rates are decimal texts; times are
// seconds. What the public API has comes from its document.
import type { Business, Payment, Refund, WhitelistedAddress } from "gateway-api";

export type { CurrencyInfo as Currency, CurrencyNetwork, ExchangeRate as Rate, FieldError } from "gateway-api";
export type { Business, Payment, WhitelistedAddress };

export interface Chain {
  network: string;
  name: string;
  height: number;
  /** Number of pending transfers. */
  pending: number;
  /** Confirmations required for finality. */
  finality: number;
  /** The default sender; a valid sample address. */
  usualSender?: string;
}

/** Blocks that a payout waits for. */
export interface Wait {
  network: string;
  blocks: number;
  until: string;
}

export interface Withdrawal {
  withdrawId: string;
  clientWithdrawId: string;
  status: string;
  network: string;
  recipientAddress: string;
  destinationTag?: string;
  withdrawCurrency: string;
  displayCurrency: string;
  estimatedWithdrawAmount: string;
  estimatedDisplayAmount: string;
  settlementCurrency: string;
  settlementDeductedAmount: string;
  settlementServiceFee: string;
  addressOwner?: string;
  transactionId?: string;
  createdAt: number;
  waits: Wait[];
}

export interface FlaggedDeposit {
  depositId: string;
  paymentId: string;
  clientPaymentId: string;
  screening: string;
  currency: string;
  network: string;
  amount: string;
  fromAddress: string;
  owner?: [name: string, category: string];
  seenAt: number;
  vanished: boolean;
}

export interface Balance {
  account: string;
  asset: string;
  amount: string;
}

/** The answer to the next deliveries. */
export interface InboxAnswers {
  status: number;
  times: number;
  delaySeconds: number;
}

/** `GET /sandbox/overview` */
export interface Overview {
  business?: Business;
  clockAheadSeconds: number;
  chains: Chain[];
  balances: Balance[];
  withdrawals: Withdrawal[];
  whitelist: WhitelistedAddress[];
  /** Shares of deposits and of withdrawals. */
  serviceFees: [string, string];
  flagged: FlaggedDeposit[];
  flaggedAddresses: { network: string; address: string }[];
  inbox: InboxAnswers;
}

/** A row of `GET /sandbox/payments` */
export interface PaymentSummary {
  paymentId: string;
  clientPaymentId: string;
  status: string;
  type: string;
  displayCurrency: string;
  displayAmount?: string;
  depositCurrency?: string;
  depositAmount?: string;
  createdAt: number;
}

export interface Quote {
  currency: string;
  network: string;
  rate: string;
  rateHolds: boolean;
  expected: string;
  confirmed: string;
  unconfirmed: string;
  remaining: string;
  tryExact: string;
  tryHalf: string;
  tryMore: string;
}

export interface DepositAddress {
  network: string;
  address: string;
  destinationTag?: string;
  createdAt: number;
  current: boolean;
}

export interface Deposit {
  depositId: string;
  state: string;
  screening: string;
  network: string;
  currency: string;
  amount: string;
  displayAmount: string;
  rate: string;
  rateType: string;
  transactionId: string;
  fromAddress: string;
  seenAt: number;
  confirmations: number;
  finality: number;
  instant: boolean;
  owner?: [name: string, category: string];
  refund?: Refund;
  waits: Wait[];
}

export interface Attempt {
  number: number;
  startedAt: number;
  /** Null until the receiver has answered. */
  millis: number | null;
  status: number | null;
  reason: string | null;
}

export interface Callback {
  id: string;
  event: string;
  state: string;
  dueAt: number | null;
  attempts: Attempt[];
}

export interface LedgerEntry {
  cause: string;
  lines: Balance[];
}

/** A line of the timeline. `what` determines which fields are set. */
export interface TimelineEvent {
  at: number;
  what: string;
  network?: string;
  amount?: string;
  currency?: string;
  quantity?: number;
  subject?: string;
  status?: number;
  reason?: string;
}

/** `GET /sandbox/payments/{id}` */
export interface PaymentDetail {
  payment: Payment;
  businessName: string;
  paymentUrl: string;
  windowEnd: number | null;
  quote?: Quote;
  options: { currency: string; network: string; estimatedAmount?: string }[];
  addresses: DepositAddress[];
  deposits: Deposit[];
  callbacks: Callback[];
  ledger: LedgerEntry[];
  events: TimelineEvent[];
}

/** A row of `GET /sandbox/inbox` */
export interface Delivery {
  id: string;
  receivedAt: number;
  webhookId: string;
  headers: [name: string, value: string][];
  body: string;
  verdict: string;
  answered: number;
  delaySeconds: number;
  paymentId: string | null;
  event: string | null;
  state: string | null;
  attempts: number | null;
}

/** `GET /sandbox/credentials` */
export interface Credentials {
  baseUrl: string;
  businessId: string;
  businessToken: string;
  callbackSecret: string;
}
