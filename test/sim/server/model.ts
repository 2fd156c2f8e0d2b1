import type { Arrival } from "./customers.ts";
import type { History } from "./operators.ts";
import type { Hook, Scene } from "./scene.ts";
import type { World } from "./world.ts";

/** What is checked when everything has settled: the promises of the design, each as a list of what breaks it. */

type Message = {
  id: string;
  tenantId: string;
  channelId: string;
  status: string;
  recipient: string;
  mark: string;
  createdAt: number;
  sentAt: number | null;
  uncertain: number;
  tries: string | null;
  failedReason: string | null;
};
type Event = {
  seq: number;
  id: string;
  tenantId: string;
  channelId: string | null;
  chat: string;
  messageId: string | null;
  type: string;
  body: string;
};
type Delivery = {
  id: string;
  seq: number;
  subscriptionId: string;
  tenantId: string;
  status: string;
  attempts: number;
  lastError: string | null;
  nextAt: number | null;
  chat: string;
};
type Attempt = { deliveryId: string; attempt: number; isDelivered: number };
type Hooked = { id: string; url: string; isActive: number; disabledAt: number | null; createdAt: number };
type Found = {
  messages: Message[];
  events: Event[];
  deliveries: Delivery[];
  attempts: Attempt[];
  hooks: Hooked[];
  scheduled: { id: string; status: string; messageId: string | null }[];
  received: { channelId: string; mark: string }[];
  usage: { channelId: string; sent: number; received: number }[];
  jobs: { kind: string; queue: string; runAt: number; lastError: string | null }[];
  discarded: { kind: string; reason: string }[];
};

const QUERIES: Readonly<Record<keyof Found, string>> = {
  messages: `SELECT id, tenant_id AS tenantId, channel_id AS channelId, status, recipient, content ->> 'text' AS mark,
    created_at AS createdAt, sent_at AS sentAt, uncertain_attempts AS uncertain, failed_tries AS tries,
    failed_reason AS failedReason FROM messages ORDER BY id`,
  events: `SELECT seq, id, tenant_id AS tenantId, channel_id AS channelId, chat, message_id AS messageId, type, body
    FROM events ORDER BY seq`,
  deliveries: `SELECT id, event_seq AS seq, subscription_id AS subscriptionId, tenant_id AS tenantId, status, attempts,
    last_error AS lastError, next_at AS nextAt, chat FROM deliveries ORDER BY event_seq`,
  attempts: "SELECT delivery_id AS deliveryId, attempt, is_delivered AS isDelivered FROM attempts ORDER BY id",
  hooks: `SELECT id, url, is_active AS isActive, disabled_at AS disabledAt, created_at AS createdAt FROM subscriptions`,
  scheduled: "SELECT id, status, message_id AS messageId FROM scheduled",
  received: "SELECT channel_id AS channelId, content ->> 'text' AS mark FROM received_messages",
  usage: `SELECT channel_id AS channelId, sum(sent) AS sent, sum(received) AS received FROM usage_days GROUP BY 1`,
  jobs: "SELECT kind, queue, run_at AS runAt, last_error AS lastError FROM jobs",
  discarded: "SELECT kind, reason FROM discarded_jobs",
};

const find = async ({ server }: World): Promise<Found> => {
  const found = await server.app?.env.db.read(async (reader) => {
    const rows: Record<string, unknown> = {};
    for (const [name, sql] of Object.entries(QUERIES)) rows[name] = await reader.rows(sql);
    return rows;
  });
  return found as Found;
};

type Checked = { world: World; scene: Scene; history: History; found: Found; say(what: string): void };

/** Whether anything is still to be done. */
export const isAtRest = async ({ server }: World): Promise<boolean> => {
  const counted = await server.app?.env.db.read((reader) =>
    reader.rows<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE kind NOT IN ('store.prune')"),
  );
  return counted?.[0]?.n === 0;
};

/** Everything that breaks a promise. */
export const check = async (world: World, scene: Scene, history: History): Promise<string[]> => {
  const said: string[] = [];
  const checked: Checked = { world, scene, history, found: await find(world), say: (what) => void said.push(what) };
  for (const rule of Object.values(RULES)) rule(checked);
  return said;
};

const by = <Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> => {
  const map = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = map.get(key);
    if (known) known.push(row);
    else map.set(key, [row]);
  }
  return map;
};

const FINAL = ["SENT", "DELIVERED", "READ", "FAILED"];
const RANK: Readonly<Record<string, number>> = { queued: 0, sent: 1, delivered: 2, read: 3, failed: 4 };

/** 1: what was answered with 2xx is there, once, and has an end. What was refused is not. */
const accepted = ({ history, found, say }: Checked): void => {
  const messages = by(found.messages, ({ mark }) => mark);
  const scheduled = new Map(found.scheduled.map((row) => [row.id, row]));
  for (const { mark, ids, refused, isUnsure, scheduledAt, key, isCancelled } of history.asked) {
    const rows = messages.get(mark) ?? [];
    if (new Set(ids).size > 1) say(`${mark}: one key, and ${ids.length} ids: ${ids.join()}`);
    if (rows.length > 1 && (key !== undefined || scheduledAt !== undefined || !isUnsure))
      say(`${mark}: accepted ${rows.length} times`);
    if (ids.length === 0 && refused !== undefined && !isUnsure && rows.length > 0)
      say(`${mark}: refused with ${refused}, and stored`);
    if (scheduledAt !== undefined) {
      const row = scheduled.get(ids[0] ?? "");
      if (ids.length > 0 && !row) say(`${mark}: its schedule is lost`);
      if (row && !["SENT", "FAILED", "CANCELED"].includes(row.status)) say(`${mark}: its schedule stays ${row.status}`);
      if (isCancelled && (row?.status !== "CANCELED" || rows.length > 0)) say(`${mark}: cancelled, and ${row?.status}`);
      if (row?.status === "SENT" && rows.length !== 1) say(`${mark}: its schedule is SENT, without a message`);
    } else for (const id of ids) if (!rows.some((row) => row.id === id)) say(`${mark}: 2xx for ${id}, which is lost`);
    for (const row of rows) if (!FINAL.includes(row.status)) say(`${mark}: stays ${row.status}`);
  }
};

/** 1 and 5: nothing is sent twice unless it was recorded as uncertain, and the status is what the network said. */
const sent = ({ world, found, say }: Checked): void => {
  const taken = by(world.graph.taken, ({ messageId }) => messageId);
  const known = new Set(found.messages.map(({ id }) => id));
  for (const [id, all] of taken) if (!known.has(id)) say(`${all[0]?.text}: sent, and lost`);
  for (const { id, mark, status, uncertain, failedReason } of found.messages) {
    const times = taken.get(id)?.length ?? 0;
    if (times > 1 + uncertain) say(`${mark}: sent ${times} times, ${uncertain} of its tries uncertain`);
    if (times > 1 && uncertain === 0) say(`${mark}: sent ${times} times`);
    const receipts = world.graph.receipts.get(id) ?? [];
    if (times === 0 && status !== "FAILED" && status !== "QUEUED") say(`${mark}: ${status}, and never sent`);
    if (times > 0 && status === "FAILED" && uncertain === 0 && !receipts.includes("failed"))
      say(`${mark}: sent, and FAILED: ${failedReason}`);
    if (status === "FAILED" || times === 0) continue;
    const best = ["read", "delivered", "sent"].find((one) => receipts.includes(one)) ?? "sent";
    if ((RANK[status.toLowerCase()] ?? 0) < (RANK[best] ?? 0)) say(`${mark}: ${status}, and the network said ${best}`);
    if (receipts.includes("failed")) say(`${mark}: ${status}, and the network said that it failed`);
  }
};

/** 5: published and shown statuses only move forward, each once, and none follows a failure. */
const forward = ({ found, history, say }: Checked): void => {
  const events = by(
    found.events.filter(({ type, messageId }) => type === "message:status" && messageId !== null),
    ({ messageId }) => messageId,
  );
  for (const { id, mark, status } of found.messages) {
    const said = (events.get(id) ?? []).map(({ body }) => String(JSON.parse(body).data.status));
    for (const [index, one] of said.entries())
      if (index > 0 && (RANK[one] ?? 0) <= (RANK[said[index - 1] ?? ""] ?? 0)) say(`${mark}: ${said.join(" → ")}`);
    if (status !== "QUEUED" && said.at(-1) !== status.toLowerCase())
      say(`${mark}: ${status}, and published ${said.join(" → ") || "nothing"}`);
  }
  for (const [id, shown] of by(history.shown, ({ messageId }) => messageId))
    for (const [index, one] of shown.entries()) {
      const before = shown[index - 1];
      // what is read may not be on disk yet: a power cut takes it back
      if (before?.deaths === one.deaths && rankOf(one.status) < rankOf(before.status))
        say(`${id}: shown ${before.status}, then ${one.status}`);
    }
};
const rankOf = (status: string): number => RANK[status.toLowerCase()] ?? 0;

/** 1: what the network posted and we acknowledged is there once, and published once. */
const received = ({ world, scene, found, say }: Checked): void => {
  const phones = new Map(scene.tenants.flatMap(({ phones }) => phones.map(({ id, numberId }) => [numberId, id])));
  const rows = by(found.received, ({ mark }) => mark);
  const published = by(
    found.events.filter(({ type }) => type === "message:received"),
    ({ body }) => String(JSON.parse(body).data.content.text),
  );
  for (const [id, { numberId, text }] of world.graph.inbound) {
    const times = rows.get(text)?.length ?? 0;
    if (world.graph.acknowledged.has(id) && times === 0) say(`${text}: acknowledged, and lost`);
    if (times > 1) say(`${text}: received ${times} times`);
    if ((published.get(text)?.length ?? 0) !== times) say(`${text}: received ${times} times, published otherwise`);
    if (times > 0 && rows.get(text)?.[0]?.channelId !== phones.get(numberId)) say(`${text}: received by another phone`);
  }
};

/** 2: each event reaches each webhook that is to get it, or lies there with its reason; its attempts are counted. */
const delivered = (checked: Checked): void => {
  const { world, scene, found, say } = checked;
  const arrivals = by(world.customers.arrivals, ({ host, eventId }) => `${host} ${eventId}`);
  const deliveries = by(found.deliveries, ({ seq, subscriptionId }) => `${seq} ${subscriptionId}`);
  const attempts = by(found.attempts, ({ deliveryId }) => deliveryId);
  const rows = new Map(found.hooks.map((row) => [row.id, row]));
  const first = scene.lastSeq;
  for (const tenant of scene.tenants)
    for (const event of found.events.filter(({ seq, tenantId }) => seq > first && tenantId === tenant.id))
      for (const hook of tenant.hooks) {
        if (hook.phoneId !== undefined && event.channelId !== null && hook.phoneId !== event.channelId) continue;
        if (isOwnFailure(event, hook)) continue;
        const [delivery, ...others] = deliveries.get(`${event.seq} ${hook.id}`) ?? [];
        const row = rows.get(hook.id);
        if (!delivery) say(`event ${event.seq} ${event.type}: no delivery to ${hook.host}`);
        else if (others.length > 0) say(`event ${event.seq}: ${others.length + 1} deliveries to ${hook.host}`);
        else if (row)
          one(checked, { event, delivery, hook, row, arrived: arrivals.get(`${hook.host} ${event.id}`) ?? [] });
        if (delivery) counted(delivery, attempts.get(delivery.id) ?? [], say);
      }
};

/** The report of a lost delivery does not go where it was lost. */
const isOwnFailure = ({ type, body }: Event, { host }: Hook): boolean =>
  type === "webhook:failed" && body.includes(host);

type One = { event: Event; delivery: Delivery; hook: Hook; row: Hooked; arrived: Arrival[] };

const one = ({ say }: Checked, { event, delivery, hook, row, arrived }: One): void => {
  const name = `event ${event.seq} ${event.type} to ${hook.host}`;
  const isTaken = arrived.some(({ status = 0 }) => status >= 200 && status < 300);
  if (delivery.status === "DELIVERED" && !isTaken) say(`${name}: DELIVERED, and never taken`);
  // a disabled webhook keeps what its paused deliveries hold back
  if (delivery.status === "PENDING" && (row.isActive === 1 || delivery.nextAt !== null))
    say(`${name}: stays PENDING after ${delivery.attempts}, next ${delivery.nextAt}`);
  if (delivery.status === "DEAD" && delivery.lastError === null) say(`${name}: DEAD without a reason`);
  if (delivery.status === "PAUSED" && row.isActive === 1 && row.disabledAt === null) say(`${name}: PAUSED, and active`);
  for (const { body } of arrived) if (body !== event.body) say(`${name}: another body arrived`);
};

/** Attempts are counted from 1 without a gap, in each series; none follows the one that arrived. */
const counted = ({ id, status, attempts }: Delivery, made: readonly Attempt[], say: (what: string) => void): void => {
  for (const [index, { attempt }] of made.entries())
    if (attempt !== 1 && attempt !== (made[index - 1]?.attempt ?? 0) + 1)
      say(`delivery ${id}: attempts ${made.map((one) => one.attempt).join()}`);
  if (status === "DELIVERED" && made.at(-1)?.isDelivered !== 1) say(`delivery ${id}: DELIVERED without an attempt`);
  if (made.filter(({ isDelivered }) => isDelivered === 1).length > 1) say(`delivery ${id}: delivered twice`);
  if (status !== "PENDING" && status !== "PAUSED" && made.length > 0 && made.at(-1)?.attempt !== attempts)
    say(`delivery ${id}: ${attempts} attempts, the last was ${made.at(-1)?.attempt}`);
};

/** 1: sends of a chat leave in the order in which they were accepted, unless the network put one off. */
const inOrder = ({ world, found, history, say }: Checked): void => {
  if (world.machine.wentBack) return; // the order is that of the clock
  if (world.faults.refused > 0) return; // a job that our own database refused runs again later, behind others of its chat
  const direct = new Set(history.asked.filter(({ scheduledAt }) => scheduledAt === undefined).map(({ mark }) => mark));
  const first = new Map<string, number>();
  for (const [index, { messageId }] of world.graph.taken.entries())
    if (!first.has(messageId)) first.set(messageId, index);
  const smooth = found.messages.filter(
    ({ id, mark, tries, uncertain }) => direct.has(mark) && first.has(id) && tries === null && uncertain === 0,
  );
  for (const chat of by(smooth, ({ channelId, recipient }) => `${channelId} ${recipient}`).values())
    for (const [index, { id, mark }] of chat.entries()) {
      const before = chat[index - 1];
      if (before && (first.get(before.id) ?? 0) > (first.get(id) ?? 0)) say(`${mark} overtook ${before.mark}`);
    }
};

/** 2: a webhook in strict order gets the events of a chat in their order: none before an earlier one has its end. */
const eventsInOrder = ({ world, scene, found, say }: Checked): void => {
  const byId = new Map(found.events.map((event) => [event.id, event]));
  const status = new Map(found.deliveries.map((one) => [`${one.seq} ${one.subscriptionId}`, one]));
  const arrivals = by(world.customers.arrivals, ({ host }) => host);
  for (const hook of scene.tenants.flatMap(({ hooks }) => hooks).filter(({ isOrdered }) => isOrdered)) {
    const newest = new Map<string, number>();
    const seen = new Set<number>();
    for (const { eventId, status: answered = 0 } of arrivals.get(hook.host) ?? []) {
      const event = byId.get(eventId);
      if (!event) continue;
      const chat = `${event.channelId} ${event.chat}`;
      const { status: end, chat: order } = status.get(`${event.seq} ${hook.id}`) ?? {};
      // a dead letter that is sent again goes out of order
      if (!seen.has(event.seq) && event.seq < (newest.get(chat) ?? 0) && end !== "DEAD" && order !== "")
        say(`${hook.host}: event ${event.seq} came after ${newest.get(chat)} of its chat`);
      if (answered < 200 || answered >= 300) continue;
      seen.add(event.seq);
      newest.set(chat, Math.max(newest.get(chat) ?? 0, event.seq));
    }
  }
};

/** 4: nothing of one tenant reaches the other. */
const apart = ({ world, scene, found, history, say }: Checked): void => {
  const tenantOf = new Map(scene.tenants.flatMap((tenant) => tenant.hooks.map(({ host }) => [host, tenant])));
  const events = new Map(found.events.map((event) => [event.id, event]));
  for (const { host, eventId } of world.customers.arrivals) {
    const event = events.get(eventId);
    if (event && event.tenantId !== tenantOf.get(host)?.id) say(`${host} got an event of another tenant`);
  }
  for (const { tenantId, seq, subscriptionId } of found.deliveries)
    if (!scene.tenants.some(({ id, hooks }) => id === tenantId && hooks.some((hook) => hook.id === subscriptionId)))
      say(`event ${seq}: a delivery to a webhook of another tenant`);
  const owners = new Map(history.asked.map(({ mark, tenant }) => [mark, tenant.id]));
  for (const { mark, tenantId } of found.messages)
    if ((owners.get(mark) ?? tenantId) !== tenantId) say(`${mark}: stored for another tenant`);
};

/** What is counted equals what happened. */
const usage = ({ scene, found, say }: Checked): void => {
  const counts = new Map(found.usage.map((row) => [row.channelId, row]));
  for (const { id } of scene.tenants.flatMap(({ phones }) => phones)) {
    const sentHere = found.messages.filter(({ channelId, sentAt }) => channelId === id && sentAt !== null).length;
    const receivedHere = found.received.filter(({ channelId }) => channelId === id).length;
    const { sent = 0, received = 0 } = counts.get(id) ?? {};
    if (sent !== sentHere) say(`usage of ${id}: ${sent} sent, in truth ${sentHere}`);
    if (received !== receivedHere) say(`usage of ${id}: ${received} received, in truth ${receivedHere}`);
  }
};

/** Nothing is left to do, and nothing was given up that could have been done. */
const drained = ({ found, say }: Checked): void => {
  for (const { kind, queue, runAt, lastError } of found.jobs)
    say(`left: ${kind} in ${queue} at ${runAt} (${lastError})`);
  for (const { kind, reason } of found.discarded) say(`given up: ${kind}: ${reason}`);
};

const RULES = {
  accepted,
  sent,
  forward,
  received,
  delivered,
  inOrder,
  eventsInOrder,
  apart,
  usage,
  drained,
};
