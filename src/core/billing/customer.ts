import type { PayingCustomer } from "../../contract/processor.ts";
import { findBillingCustomer, saveBillingCustomer } from "../../store/processor.ts";
import type { TenantScope } from "../../store/scope.ts";
import { getAccount } from "../tenancy/accounts.ts";
import { answerOf, processorOf } from "./charges.ts";
import type { BillingEnv } from "./env.ts";

export type CustomerInput = Omit<PayingCustomer, "name" | "email"> & { name?: string };

/**
 * Creates or updates the paying customer of an account at the processor, and returns the customer's id there. The
 * default name is the account's.
 * @throws AppError PROCESSOR_NOT_CONFIGURED, PROCESSOR_REFUSED, PROCESSOR_UNAVAILABLE.
 */
export const registerCustomer = (env: BillingEnv, { tenantId }: TenantScope, input: CustomerInput): Promise<string> =>
  env.charging.run(`customer:${tenantId}`, async () => {
    const processor = processorOf(env);
    const account = await getAccount(env, tenantId);
    const known = await env.db.read((reader) => findBillingCustomer(reader, { tenantId }));
    const email = account.billingEmail === null ? {} : { email: account.billingEmail };
    const { id } = answerOf(
      await processor.saveCustomer({
        name: account.name,
        ...email,
        ...input,
        reference: tenantId,
        id: known?.processorCustomerId ?? null,
      }),
    );
    const now = env.clock.now();
    await env.db.write((tx) =>
      saveBillingCustomer(tx, { tenantId, processorCustomerId: id, createdAt: now, updatedAt: now }),
    );
    return id;
  });
