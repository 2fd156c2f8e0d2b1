import type { Arrival } from "./customers.ts";
import type { Asked, History } from "./operators.ts";
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

type Checked = { world: World; scene: Scene; history: History; found: Found; say: Say };

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
  for (const asked of history.asked) {
    const { mark, ids, scheduledAt } = asked;
    const rows = messages.get(mark) ?? [];
    if (new Set(ids).size > 1) say(`${mark}: one key, and ${ids.length} ids: ${ids.join()}`);
    if (rows.length > 1 && isOnce(asked)) say(`${mark}: accepted ${rows.length} times`);
    if (rows.length > 0 && isRefused(asked)) say(`${mark}: refused with ${asked.refused}, and stored`);
    for (const row of rows) if (!FINAL.includes(row.status)) say(`${mark}: stays ${row.status}`);
    if (scheduledAt === undefined) there(asked, rows, say);
    else planned(asked, { row: scheduled.get(ids[0] ?? ""), isSent: rows.length === 1 }, say);
  }
};

type Say = (what: string) => void;

const isOnce = ({ key, scheduledAt, isUnsure }: Asked): boolean =>
  key !== undefined || scheduledAt !== undefined || !isUnsure;
const isRefused = ({ ids, refused, isUnsure }: Asked): boolean =>
  ids.length === 0 && refused !== undefined && !isUnsure;

const there = ({ mark, ids }: Asked, rows: readonly Message[], say: Say): void => {
  for (const id of ids) if (!rows.some((row) => row.id === id)) say(`${mark}: 2xx for ${id}, which is lost`);
};

type Plan = { row: Found["scheduled"][number] | undefined; isSent: boolean };

const planned = ({ mark, ids, isCancelled }: Asked, { row, isSent }: Plan, say: Say): void => {
  if (ids.length > 0 && !row) say(`${mark}: its schedule is lost`);
  if (!row) return;
  if (!["SENT", "FAILED", "CANCELED"].includes(row.status)) say(`${mark}: its schedule stays ${row.status}`);
  if (isCancelled && (row.status !== "CANCELED" || isSent)) say(`${mark}: cancelled, and ${row.status}`);
  if (row.status === "SENT" && !isSent) say(`${mark}: its schedule is SENT, without a message`);
};

/** 1 and 5: nothing is sent twice unless it was recorded as uncertain, and the status is what the network said. */
const sent = ({ world, found, say }: Checked): void => {
  const taken = by(world.graph.taken, ({ messageId }) => messageId);
  const known = new Set(found.messages.map(({ id }) => id));
  for (const [id, all] of taken) if (!known.has(id)) say(`${all[0]?.text}: sent, and lost`);
  for (const message of found.messages) {
    const { id, mark, status, uncertain } = message;
    const times = taken.get(id)?.length ?? 0;
    if (times > 1 + uncertain) say(`${mark}: sent ${times} times, ${uncertain} of its tries uncertain`);
    // of a message that was sent twice, the receipts of one copy count
    if (times === 1) asTheNetworkSays(message, world.graph.receipts.get(id) ?? [], say);
    if (times === 0 && !["FAILED", "QUEUED"].includes(status)) say(`${mark}: ${status}, and never sent`);
  }
};

const asTheNetworkSays = (
  { mark, status, uncertain, failedReason }: Message,
  receipts: readonly string[],
  say: Say,
): void => {
  const hasFailed = receipts.includes("failed");
  if (status === "FAILED") {
    if (uncertain === 0 && !hasFailed) say(`${mark}: sent, and FAILED: ${failedReason}`);
    return;
  }
  const best = ["read", "delivered", "sent"].find((name) => receipts.includes(name)) ?? "sent";
  if (rankOf(status) < rankOf(best)) say(`${mark}: ${status}, and the network said ${best}`);
  if (hasFailed) say(`${mark}: ${status}, and the network said that it failed`);
};

/** 5: published statuses only move forward, each once, and none follows a failure. */
const published = ({ found, say }: Checked): void => {
  const events = by(
    found.events.filter(({ type, messageId }) => type === "message:status" && messageId !== null),
    ({ messageId }) => messageId,
  );
  for (const { id, mark, status } of found.messages) {
    const said = (events.get(id) ?? []).map(({ body }) => String(JSON.parse(body).data.status));
    const isForward = said.every((name, index) => index === 0 || rankOf(name) > rankOf(said[index - 1] ?? ""));
    if (!isForward) say(`${mark}: ${said.join(" → ")}`);
    if (status !== "QUEUED" && said.at(-1) !== status.toLowerCase())
      say(`${mark}: ${status}, and published ${said.join(" → ") || "nothing"}`);
  }
};

/** 5: so do shown ones. What is read may not be on disk yet: a power cut takes it back. */
const shown = ({ history, say }: Checked): void => {
  for (const [id, all] of by(history.shown, ({ messageId }) => messageId))
    for (const [index, { status, deaths }] of all.entries()) {
      const before = all[index - 1];
      if (before?.deaths === deaths && rankOf(status) < rankOf(before.status))
        say(`${id}: shown ${before.status}, then ${status}`);
    }
};
const rankOf = (status: string): number => RANK[status.toLowerCase()] ?? 0;

/** 1: what the network posted and we acknowledged is there once, and published once. */
const received = ({ world, scene, found, say }: Checked): void => {
  const phones = new Map(scene.tenants.flatMap(({ phones }) => phones.map(({ id, numberId }) => [numberId, id])));
  const rows = by(found.received, ({ mark }) => mark);
  const events = by(
    found.events.filter(({ type }) => type === "message:received"),
    ({ body }) => String(JSON.parse(body).data.content.text),
  );
  for (const [id, { numberId, text }] of world.graph.inbound) {
    const times = rows.get(text)?.length ?? 0;
    if (world.graph.acknowledged.has(id) && times === 0) say(`${text}: acknowledged, and lost`);
    if (times > 1) say(`${text}: received ${times} times`);
    if ((events.get(text)?.length ?? 0) !== times) say(`${text}: received ${times} times, published otherwise`);
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
  const look = (event: Event, hook: Hook) => {
    const [delivery, ...others] = deliveries.get(`${event.seq} ${hook.id}`) ?? [];
    const row = rows.get(hook.id);
    const arrived = arrivals.get(`${hook.host} ${event.id}`) ?? [];
    if (!delivery) return say(`event ${event.seq} ${event.type}: no delivery to ${hook.host}`);
    if (others.length > 0) say(`event ${event.seq}: ${others.length + 1} deliveries to ${hook.host}`);
    if (row) one(checked, { event, delivery, hook, row, arrived });
    counted(delivery, attempts.get(delivery.id) ?? [], say);
  };
  for (const { id, hooks } of scene.tenants)
    for (const event of found.events.filter(({ seq, tenantId }) => seq > scene.lastSeq && tenantId === id))
      for (const hook of hooks.filter((candidate) => isFor(event, candidate))) look(event, hook);
};

/** A phone's webhook gets what concerns that phone. The report of a lost delivery does not go where it was lost. */
const isFor = (event: Event, { phoneId, host }: Hook): boolean =>
  (phoneId === undefined || event.channelId === null || phoneId === event.channelId) &&
  !(event.type === "webhook:failed" && event.body.includes(host));

type One = { event: Event; delivery: Delivery; hook: Hook; row: Hooked; arrived: Arrival[] };

const one = ({ say }: Checked, { event, delivery, hook, row, arrived }: One): void => {
  const name = `event ${event.seq} ${event.type} to ${hook.host}`;
  const { status, attempts, nextAt, lastError } = delivery;
  const isActive = row.isActive === 1;
  const wrong = {
    DELIVERED: !arrived.some(({ status: answered = 0 }) => isSuccess(answered)),
    // a disabled webhook keeps what its paused deliveries hold back
    PENDING: isActive || nextAt !== null,
    DEAD: lastError === null,
    PAUSED: isActive && row.disabledAt === null,
  };
  if (wrong[status as keyof typeof wrong]) say(`${name}: ${status} after ${attempts}, next ${nextAt}: ${lastError}`);
  for (const { body } of arrived) if (body !== event.body) say(`${name}: another body arrived`);
};

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Attempts are counted from 1 without a gap, in each series; none follows the one that arrived. */
const counted = ({ id, status, attempts }: Delivery, made: readonly Attempt[], say: Say): void => {
  for (const [index, { attempt }] of made.entries())
    if (attempt !== 1 && attempt !== (made[index - 1]?.attempt ?? 0) + 1)
      say(`delivery ${id}: attempts ${made.map((one) => one.attempt).join()}`);
  const last = made.at(-1);
  if (status === "DELIVERED" && last?.isDelivered !== 1) say(`delivery ${id}: DELIVERED without an attempt`);
  if (made.filter(({ isDelivered }) => isDelivered === 1).length > 1) say(`delivery ${id}: delivered twice`);
  if (last && ["DELIVERED", "DEAD"].includes(status) && last.attempt !== attempts)
    say(`delivery ${id}: ${attempts} attempts, the last was ${last.attempt}`);
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
  const events = new Map(found.events.map((event) => [event.id, event]));
  const deliveries = new Map(
    found.deliveries.map((delivery) => [`${delivery.seq} ${delivery.subscriptionId}`, delivery]),
  );
  const arrivals = by(world.customers.arrivals, ({ host }) => host);
  /** Undefined for a dead letter that is sent again: it goes out of order. */
  const deliveryOf = (hook: Hook, eventId: string): Delivery | undefined => {
    const delivery = deliveries.get(`${events.get(eventId)?.seq} ${hook.id}`);
    return delivery?.status === "DEAD" || delivery?.chat === "" ? undefined : delivery;
  };
  const look = (hook: Hook) => {
    const newest = new Map<string, number>();
    const taken = new Set<number>();
    for (const { eventId, status } of arrivals.get(hook.host) ?? []) {
      const delivery = deliveryOf(hook, eventId);
      if (!delivery) continue;
      const { seq, chat } = delivery;
      const last = newest.get(chat) ?? 0;
      if (!taken.has(seq) && seq < last) say(`${hook.host}: event ${seq} came after ${last} of its chat`);
      if (status === undefined || !isSuccess(status)) continue;
      taken.add(seq);
      newest.set(chat, Math.max(last, seq));
    }
  };
  for (const { hooks } of scene.tenants) hooks.filter(({ isOrdered }) => isOrdered).forEach(look);
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
  published,
  shown,
  received,
  delivered,
  inOrder,
  eventsInOrder,
  apart,
  usage,
  drained,
};
