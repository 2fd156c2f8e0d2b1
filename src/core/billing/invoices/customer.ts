import type { PayingCustomer } from "../../../contract/ports/processor.ts";
import { invalid } from "../../../kernel/errors.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import { maskedTaxpayerNumber, taxpayerNumberIn } from "../../../kernel/numbers/brazil.ts";
import { issue } from "../../../kernel/schema.ts";
import { findBillingCustomer, saveBillingCustomer } from "../../../store/tables/billing/processor.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { getAccount } from "../../tenancy/accounts/accounts.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import type { BillingEnv } from "../env.ts";
import { requireAnswer, requireProcessor } from "./charges.ts";

export type CustomerInput = Omit<PayingCustomer, "name" | "email"> & { name?: string };

/** The row that a payer's sealed number is bound to. */
export const customerRow = (tenantId: TenantId): string => `billing_customers:${tenantId}:cpf_cnpj`;

/**
 * Creates or updates the paying customer of an account at the processor, and returns the customer's id there. The
 * default name is the account's. The CPF or CNPJ is stored sealed.
 * @throws AppError VALIDATION for a CNPJ with letters whose check digits are wrong, PROCESSOR_NOT_CONFIGURED, PROCESSOR_REFUSED,
 * PROCESSOR_UNAVAILABLE.
 */
export const registerCustomer = async (env: BillingEnv, caller: Caller, input: CustomerInput): Promise<string> => {
  const { tenantId } = caller;
  const { cpfCnpj } = input;
  // the processor checks digits alone (GAP-X04)
  if (/\D/.test(cpfCnpj) && taxpayerNumberIn(cpfCnpj) === undefined)
    throw invalid(issue("cpfCnpj", "format", "must be a CNPJ with its right check digits"));
  return env.charging.run(`customer:${tenantId}`, async () => {
    const processor = requireProcessor(env);
    const account = await getAccount(env, tenantId);
    const known = await env.db.read((reader) => findBillingCustomer(reader, { tenantId }));
    const email = account.billingEmail === null ? {} : { email: account.billingEmail };
    const { id } = requireAnswer(
      await processor.saveCustomer({
        name: account.name,
        ...email,
        ...input,
        reference: tenantId,
        id: known?.processorCustomerId ?? null,
      }),
    );
    const now = env.clock.now();
    const sealed = env.secrets.seal(customerRow(tenantId), cpfCnpj);
    await env.db.write(async (tx) => {
      await saveBillingCustomer(tx, {
        tenantId,
        processorCustomerId: id,
        cpfCnpj: sealed,
        createdAt: now,
        updatedAt: now,
      });
      await recordAct(env, tx, caller, {
        action: "account.change",
        target: tenantId,
        tenantId,
        details: { payer: Object.keys(input) },
      });
    });
    return id;
  });
};

/** The payer of an account, as people may see it: the CPF or CNPJ is masked. Undefined until a payer is named. */
export const getCustomer = async (
  env: BillingEnv,
  { tenantId }: TenantScope,
): Promise<{ processorCustomerId: string; cpfCnpj: string | null; updatedAt: number } | undefined> => {
  const known = await env.db.read((reader) => findBillingCustomer(reader, { tenantId }));
  if (!known) return undefined;
  const { processorCustomerId, updatedAt } = known;
  const cpfCnpj =
    known.cpfCnpj === null ? null : maskedTaxpayerNumber(env.secrets.open(customerRow(tenantId), known.cpfCnpj));
  return { processorCustomerId, cpfCnpj, updatedAt };
};
