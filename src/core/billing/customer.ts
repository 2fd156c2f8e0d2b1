import type { PayingCustomer } from "../../contract/processor.ts";
import { findBillingCustomer, saveBillingCustomer } from "../../store/processor.ts";
import type { TenantScope } from "../../store/scope.ts";
import { getAccount } from "../tenancy/accounts.ts";
import { answerOf, processorOf } from "./charges.ts";
import type { BillingEnv } from "./env.ts";

export type CustomerInput = Omit<PayingCustomer, "name" | "email"> & { name?: string };

/**
 * Makes the processor know who pays for an account, or changes what it knows; its id there. The name is the account's
 * unless another is given. Throws PROCESSOR_NOT_CONFIGURED, PROCESSOR_REFUSED and PROCESSOR_UNAVAILABLE.
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
