import type { ChannelKind } from "../../../src/contract/kind.ts";
import { DAY_MS, iso } from "../../../src/kernel/clock.ts";
import type { ChannelId, TenantId } from "../../../src/kernel/ids.ts";
import type { Tx } from "../../../src/store/engine/db.ts";
import { countCharge } from "../../../src/store/tables/billing/charges.ts";
import { made } from "../tenants/platform.ts";
import type { World } from "../world.ts";

/** The use of an account on a day. */
export type Used = {
  on: number;
  channel?: string;
  kind?: ChannelKind;
  sent?: number;
  received?: number;
  /** Delivered messages by category, which cost R$ 0.35 each; another category than MARKETING has no price. */
  charged?: Record<string, number>;
};

/** Enters a delivered message of this category in the ledger. */
export const charge = (tx: Tx, tenantId: string, day: number, category: string): void =>
  countCharge(
    tx,
    {
      tenantId: tenantId as TenantId,
      day,
      localDay: iso(day * DAY_MS).slice(0, 10),
      channelId: "c" as ChannelId,
      country: "BR",
      category,
      type: "regular",
      currency: "BRL",
      ...(category === "MARKETING" ? { state: "DUE", micros: 350_000 } : { state: "UNRATED", micros: 0 }),
    },
    1,
  );

/** Adds use to an account, as if it had happened on that day. */
export const use = (w: World, tenantId: string, ...used: readonly Used[]): Promise<void> =>
  w.app.env.db.write(async (tx) => {
    for (const { on, channel = "c", kind = "WABA", sent = 0, received = 0, charged = {} } of used) {
      const day = Math.floor(on / DAY_MS);
      tx.run(
        "INSERT INTO usage_days VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET sent = sent + ?5, received = received + ?6",
        [tenantId, day, channel, kind, sent, received],
      );
      for (const [category, count] of Object.entries(charged))
        for (let n = 0; n < count; n++) charge(tx, tenantId, day, category);
    }
  });

/** Makes a plan with a new code, and gives the code. */
export const newPlan = async (w: World, terms: object): Promise<string> => {
  const code = `plan-${Bun.randomUUIDv7()}`;
  return made(await w.gateway("/v1/admin/plans", { admin: true, body: { code, ...terms } }), 201).code;
};

/** Changes an account as its administrator. */
export const change = async (w: World, accountId: string, fields: object): Promise<void> =>
  void made(await w.gateway(`/v1/admin/accounts/${accountId}`, { admin: true, method: "PATCH", body: fields }), 200);

/** Makes an invoice as the administrator, and gives the answer. */
export const invoice = (w: World, accountId: string, body: object) =>
  w.gateway(`/v1/admin/accounts/${accountId}/invoices`, { admin: true, body });

/** The invoices that an account sees, newest first. */
export const invoicesOf = async (w: World, key: string): Promise<any[]> =>
  made(await w.gateway("/v1/billing/invoices", { key }), 200);
