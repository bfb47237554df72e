// The gateway's answers, as far as the console shows them. Amounts and rates are decimal texts; times are
// seconds.

export interface Business {
  name: string;
  depositReceivedCallbackUrl?: string;
  withdrawalCallbackUrl?: string;
  settlementCryptoCurrency: string;
  settlementCryptoRatio: string;
  settlementFiatCurrency: string;
  supportedDepositCurrencies: string[];
  supportedDisplayCurrencies: string[];
  overpaymentPolicy: string;
  refundFollowUpDepositsForOneTimePayments: boolean;
}

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

export interface WhitelistedAddress {
  id: string;
  clientAddressId: string;
  currency: string;
  network: string;
  address: string;
  destinationTag?: string;
  label?: string;
  createdAt: string;
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

export interface Payment {
  paymentId: string;
  clientPaymentId: string;
  status: string;
  type: string;
  rateType: string;
  displayCurrency: string;
  expectedDisplayAmount?: string;
  paymentInitiatedAt: number;
  overpaymentPolicy: string;
  refundFollowUpDepositsForOneTimePayments: boolean;
  locale: string;
  redirectUrl?: string;
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
  refund?: { type: string; status: string; amount: string; fee: string; reason: string };
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

export interface CurrencyNetwork {
  network: string;
  deposit: boolean;
  withdrawal: boolean;
  tag: string;
  minimum: string;
  maxAmount: string;
  withdrawFee: string;
}

/** A row of `GET /api/v1/currencies` */
export interface Currency {
  currency: string;
  networks: CurrencyNetwork[];
}

/** A row of `GET /api/v1/rates` */
export interface Rate {
  from: string;
  to: string;
  rate: string;
}

/** `GET /sandbox/credentials` */
export interface Credentials {
  baseUrl: string;
  businessId: string;
  businessToken: string;
  callbackSecret: string;
}

/** An error of a request; `pointer` names a field, such as `/amount`, or is empty. */
export interface FieldError {
  pointer: string;
  code: string;
  detail: string;
}
