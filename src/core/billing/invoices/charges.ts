import type { Processor, ProcessorResult } from "../../../contract/ports/processor.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { InvoiceRow } from "../../../store/tables/billing/invoices.ts";
import type { BillingEnv } from "../env.ts";

/** @throws AppError PROCESSOR_NOT_CONFIGURED. */
export const requireProcessor = ({ processor }: Pick<BillingEnv, "processor">): Processor => {
  if (!processor) throw new AppError("PROCESSOR_NOT_CONFIGURED", { message: "The server has no payment processor." });
  return processor;
};

/**
 * The value of the processor's answer.
 * @throws AppError PROCESSOR_REFUSED with the processor's text in `details.upstreamError`; PROCESSOR_UNAVAILABLE, after
 * which the request may be repeated.
 */
export const requireAnswer = <T>(result: ProcessorResult<T>): T => {
  if (result.ok) return result.value;
  if (result.kind === "unavailable")
    throw new AppError("PROCESSOR_UNAVAILABLE", {
      message: "The payment processor could not be reached; try again later.",
      cause: result.reason,
    });
  const { status, errors } = result;
  throw new AppError("PROCESSOR_REFUSED", {
    message: errors[0]?.description || "The payment processor refused it.",
    details: { upstreamError: { status, errors } },
  });
};

/** Runs the work on one invoice and its charge one at a time. */
export const aboutInvoice = <Result>(
  { charging }: BillingEnv,
  id: string,
  task: () => Promise<Result>,
): Promise<Result> => charging.run(`invoice:${id}`, task);

/**
 * Cancels the charges of an invoice, even a charge whose creation was never answered.
 * @throws AppError PROCESSOR_NOT_CONFIGURED, PROCESSOR_REFUSED, PROCESSOR_UNAVAILABLE.
 */
export const cancelChargeOf = async (
  env: BillingEnv,
  { id, gatewayProvider, gatewayChargeId }: InvoiceRow,
): Promise<void> => {
  if (gatewayProvider === null) return;
  const processor = requireProcessor(env);
  const chargeId = gatewayChargeId ?? requireAnswer(await processor.findCharge({ reference: id, id: null }))?.id;
  if (chargeId !== undefined) requireAnswer(await processor.cancelCharge(chargeId));
};
