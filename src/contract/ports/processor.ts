/** How a customer pays. UNDEFINED leaves it to the payer. */
export const BILLING_TYPES = ["BOLETO", "PIX", "CREDIT_CARD", "UNDEFINED"] as const;
export type BillingType = (typeof BILLING_TYPES)[number];

export type PayingCustomer = {
  cpfCnpj: string;
  name: string;
  email?: string;
  phone?: string;
  addressLine?: string;
  addressNumber?: string;
  province?: string;
  postalCode?: string;
};

/**
 * The changes of a charge. `refused`: a payment attempt failed; another may follow. `charged-back`: the payer's bank
 * takes the money back. `undone`: a payment recorded by hand was reverted. `restored`: a deleted charge exists again.
 */
export type ChargeChange =
  | "paid"
  | "overdue"
  | "refused"
  | "charged-back"
  | "refunded"
  | "deleted"
  | "restored"
  | "undone";

/**
 * A charge at the processor. `status` and `billingType` are the processor's own words; `change` is what the status
 * means. `dueDate` is a day (`YYYY-MM-DD`).
 */
export type Charge = {
  id: string;
  status: string;
  change: ChargeChange | null;
  billingType: string;
  valueCents: number;
  dueDate: string;
  invoiceUrl: string | null;
  boletoUrl: string | null;
};

/** `pixQrCode` is a PNG in base64. A field is null if it does not apply. */
export type PaymentLinks = { pixQrCode: string | null; pixCopyPaste: string | null; boletoBarcode: string | null };

/**
 * An event of a charge. `name` is the processor's word for it; `change` is null if it means nothing to Recado.
 * `place` sorts the events of a charge in the order in which they happened, whatever the order of their arrival.
 */
export type ProcessorEvent = {
  name: string;
  change: ChargeChange | null;
  place: string;
  chargeId: string | null;
  reference: string | null;
  /** The amount charged, without later interest; null if it is not given. */
  valueCents: number | null;
};

/**
 * `refused`: the processor refused, in its own words. `unavailable`: it was unreachable or gave no clear answer, so the
 * request may have been executed.
 */
export type ProcessorResult<T> =
  | { ok: true; value: T }
  | { ok: false; kind: "refused"; status: number; errors: readonly { code: string; description: string }[] }
  | { ok: false; kind: "unavailable"; reason: string };

/**
 * The payment processor. No function throws. `reference` is Recado's id of an object: an object with the same reference
 * is found instead of created again.
 */
export type Processor = {
  name: string;
  /** `id`: the processor's id; null if it is unknown. */
  saveCustomer(
    customer: PayingCustomer & { reference: string; id: string | null },
  ): Promise<ProcessorResult<{ id: string }>>;
  createCharge(charge: {
    customerId: string;
    billingType: BillingType;
    valueCents: number;
    dueDate: string;
    reference: string;
    description: string;
  }): Promise<ProcessorResult<Charge>>;
  /** A deleted charge is found only by its `id`; null if it is unknown. */
  findCharge(named: { reference: string; id: string | null }): Promise<ProcessorResult<Charge | undefined>>;
  paymentLinks(charge: Charge): Promise<ProcessorResult<PaymentLinks>>;
  /** Succeeds too when there is no charge. */
  cancelCharge(id: string): Promise<ProcessorResult<true>>;
  /** Reads any posted JSON value. A missing value gives null; an unknown one gives no change. */
  readEvent(body: unknown, receivedAt: number): ProcessorEvent & { id: string | null };
  /** The `place` of a change that is learnt at this time. */
  placeOf(atMs: number): string;
};
