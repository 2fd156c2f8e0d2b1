import type { Processor, ProcessorResult } from "../../contract/processor.ts";
import { AppError } from "../../kernel/errors.ts";
import type { InvoiceRow } from "../../store/invoices.ts";
import type { BillingEnv } from "./env.ts";

/** Throws PROCESSOR_NOT_CONFIGURED. */
export const processorOf = ({ processor }: Pick<BillingEnv, "processor">): Processor => {
  if (!processor) throw new AppError("PROCESSOR_NOT_CONFIGURED", { message: "The server has no payment processor." });
  return processor;
};

/**
 * What the processor gave. Throws PROCESSOR_REFUSED with its own words in `details.upstreamError`, and
 * PROCESSOR_UNAVAILABLE, after which the same may be asked again.
 */
export const answerOf = <T>(result: ProcessorResult<T>): T => {
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

/** Does one thing at a time about an invoice and its charge. */
export const aboutInvoice = <Result>(
  { charging }: BillingEnv,
  id: string,
  task: () => Promise<Result>,
): Promise<Result> => charging.run(`invoice:${id}`, task);

/**
 * Cancels what is charged for an invoice, also a charge whose making was never answered. Throws
 * PROCESSOR_NOT_CONFIGURED and what `answerOf` throws.
 */
export const cancelChargeOf = async (
  env: BillingEnv,
  { id, gatewayProvider, gatewayChargeId }: InvoiceRow,
): Promise<void> => {
  if (gatewayProvider === null) return;
  const processor = processorOf(env);
  const chargeId = gatewayChargeId ?? answerOf(await processor.findCharge({ reference: id, id: null }))?.id;
  if (chargeId !== undefined) answerOf(await processor.cancelCharge(chargeId));
};
