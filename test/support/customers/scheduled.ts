import { connectChannel } from "../../../src/core/channels/links/connection.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import type { Answer, World } from "../world.ts";
import { type Customer, rowsOf, TO } from "./customer.ts";

type Who = Pick<Customer, "key" | "phone">;

/** The time so many milliseconds from now, in the form of a client. */
export const inMs = (w: World, aheadMs: number): string => new Date(w.clock.now() + aheadMs).toISOString();

/** A send that may be scheduled. */
export const payloadOf = ({ phone }: Pick<Customer, "phone">, change: object = {}) => ({
  phoneId: phone.id,
  to: TO,
  type: "text",
  content: { text: "até logo" },
  ...change,
});

/** POST /v1/messages/scheduled: by default a text, a minute from now. */
export const schedule = (
  w: World,
  who: Who,
  { scheduledAt = inMs(w, 60_000), payload = payloadOf(who) }: { scheduledAt?: unknown; payload?: unknown } = {},
): Promise<Answer> => w.gateway("/v1/messages/scheduled", { key: who.key, body: { scheduledAt, payload } });

/** Schedules a message so many milliseconds from now, and gives its id. Throws if it is refused. */
export const scheduled = async (w: World, who: Who, aheadMs = 60_000, change: object = {}): Promise<string> => {
  const { status, body, text } = await schedule(w, who, {
    scheduledAt: inMs(w, aheadMs),
    payload: payloadOf(who, change),
  });
  if (status !== 201) throw new Error(`the message was not scheduled: ${status} ${text}`);
  return body.id;
};

/** GET /v1/messages/scheduled/{id}. */
export const scheduledOf = async (w: World, { key }: Pick<Customer, "key">, id: string): Promise<any> =>
  (await w.gateway(`/v1/messages/scheduled/${id}`, { key })).body;

/** A call about one scheduled message. */
export const onScheduled = (
  w: World,
  { key }: Pick<Customer, "key">,
  id: string,
  call: { method: "PATCH" | "DELETE"; body?: object },
): Promise<Answer> => w.gateway(`/v1/messages/scheduled/${id}`, { key, ...call });

/** All traces of scheduling, which a refusal must not change. */
export const schedulesOf = (w: World, { accountId }: Pick<Customer, "accountId">) =>
  rowsOf(
    w,
    "SELECT s.*, j.run_at FROM scheduled s LEFT JOIN jobs j ON j.unique_key = 'scheduled:' || s.id WHERE s.tenant_id = ?1 ORDER BY s.id",
    [accountId],
  );

/** Inserts rows as if the customer had scheduled them, without their jobs. */
export const seedScheduled = (
  w: World,
  { accountId, phone }: Pick<Customer, "accountId" | "phone">,
  { count, status, scheduledAt }: { count: number; status: string; scheduledAt: number },
) =>
  w.app.env.db.write(async (tx) =>
    tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO scheduled (id, tenant_id, channel_id, scheduled_at, status, created_at, updated_at, payload)
        SELECT printf('01900000-%04x-4%03x-8000-', i / 4096, i % 4096) || substr(?2, 25), ?2, ?3, ?4, ?5, ?6, ?6, '{"to":"5511999990001","type":"text","content":{"text":"olá"}}' FROM n`,
      [count, accountId, phone.id, scheduledAt, status, w.clock.now()],
    ),
  );

/** The outcome of a scheduled message. */
export const endOf = async (w: World, who: Pick<Customer, "key">, id: string) => {
  const { status, messageId, failedReason } = await scheduledOf(w, who, id);
  return { status, messageId, failedReason };
};

/** The customer's phone sends a text that meets a refused token, so that it is no longer connected. */
export const disconnect = async (w: World, { phone, sent }: Pick<Customer, "phone" | "sent">): Promise<void> => {
  w.graph.failNext(1, { kind: "error", code: 190 }, { phoneNumberId: phone.phoneNumberId });
  await sent({ content: { text: "the last" } });
};

/** The phone connects again. Resolves after all work that waited for it. */
export const reconnect = async (
  w: World,
  { accountId, phone, hook }: Pick<Customer, "accountId" | "phone" | "hook">,
): Promise<void> => {
  const isReported = () => hook.arrived.slice(before).some(({ body }) => body.type === "channel:connected");
  const before = hook.arrived.length;
  await connectChannel(w.app.env, { tenantId: accountId as TenantId }, phone.id);
  for (let count = before + 1; !isReported(); count++) await hook.received(count);
  await w.settle();
};
