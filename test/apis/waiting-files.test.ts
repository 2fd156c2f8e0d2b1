import { beforeEach, describe, expect, test } from "bun:test";
import { dropKept } from "../../src/core/media/kept.ts";
import { acceptWithin, prepareMessage } from "../../src/core/messaging/sending/accept.ts";
import { callerIn, LOCAL } from "../../src/core/tenancy/audit/audit.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import { CLOUD_ENV, type CloudClient, cloudClientOf } from "../support/apis/cloud.ts";
import { type Customer, newCustomer, rowsOf, TO } from "../support/customers/customer.ts";
import { newTwoPhones, type TwoPhones } from "../support/customers/failover.ts";
import { join } from "../support/customers/joining.ts";
import { filesOf } from "../support/customers/media.ts";
import { endOf, inMs, onScheduled, scheduled } from "../support/customers/scheduled.ts";
import { newSessionCustomer, reported, sessionNetwork } from "../support/session/scripted-sends.ts";
import { customer as institution } from "../support/tenants/platform.ts";
import { useWorld } from "../support/use-world.ts";

const network = sessionNetwork();
const QUOTA = 1_000_000;
const w = useWorld({
  plugins: [network.plugin],
  env: { ...CLOUD_ENV, RECADO_KEEP_MEDIA: "1d", RECADO_LIMITS: `stored-bytes=${QUOTA}` },
});
beforeEach(() => {
  network.sent.length = 0;
  network.outcomes.length = 0;
  network.pace = () => 0;
});

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
const EXPIRY_MS = DAY_MS;
/** The file is sent so long before its end. */
const BEFORE_END_MS = 2 * MINUTE_MS;

type Who = Customer & { client: CloudClient; handle: string };

const keptBy = async ({ key }: Pick<Customer, "key">): Promise<string> => {
  const { body } = await w.gateway("/v1/media/files/base64", { key, body: { base64: PNG.toString("base64") } });
  return body.mediaHandle;
};
const withFile = async (customer: Customer): Promise<Who> => ({
  ...customer,
  client: await cloudClientOf(w, customer),
  handle: await keptBy(customer),
});
const filesOfAccount = ({ accountId }: Pick<Customer, "accountId">) =>
  filesOf(w).filter((file) => file.startsWith(`${accountId}/uploads/`));
const storedBytes = async ({ accountId }: Pick<Customer, "accountId">): Promise<number> =>
  (
    await rowsOf<{ n: number }>(w, "SELECT n FROM tenant_counts WHERE tenant_id = ?1 AND collection = 'stored-bytes'", [
      accountId,
    ])
  )[0]?.n ?? 0;
const statusesOf = async ({ accountId }: Pick<Customer, "accountId">): Promise<string[]> =>
  (
    await rowsOf<{ status: string }>(
      w,
      "SELECT status FROM messages WHERE tenant_id = ?1 AND type = 'image' ORDER BY id",
      [accountId],
    )
  ).map(({ status }) => status);
/** The bytes of the files that a session has sent. */
const sentBy = ({ phone }: Who) =>
  network.sent.filter(({ channelId }) => channelId === phone.id).map(({ bytes }) => bytes);
const image = ({ handle }: Who) => ({ type: "image", content: { mediaHandle: handle } });
const sendAgain = (c: Who) =>
  w.gateway("/v1/messages", { key: c.key, body: { phoneId: c.phone.id, to: TO, ...image(c) } });
const idOf = (handle: string): string =>
  `2${BigInt(`0x${handle.slice(5).replaceAll("-", "")}`)
    .toString()
    .padStart(39, "0")}`;

/** TABLE: what becomes of the file meanwhile, and whether a new message may name it afterwards. */
const MISHAPS: Record<string, { strike(c: Who): Promise<unknown>; isUsable: boolean }> = {
  "expired by the clock": { strike: async () => w.advance(BEFORE_END_MS + SECOND_MS), isUsable: false },
  deleted: {
    strike: async ({ client, handle }) => {
      const { body } = await client.ask(`/${idOf(handle)}`, { method: "DELETE" });
      expect(body).toEqual({ success: true });
      await w.settle();
    },
    isUsable: false,
  },
  "there beside a quota that is full": {
    strike: ({ accountId }) =>
      w.app.env.db.write(async (tx) =>
        tx.run("UPDATE tenant_counts SET n = n + ?2 WHERE tenant_id = ?1 AND collection = 'stored-bytes'", [
          accountId,
          QUOTA,
        ]),
      ),
    isUsable: true,
  },
};

type Wait = { customer(): Promise<Who>; begin(c: Who): Promise<unknown>; end(c: Who): Promise<unknown> };

const session = async () => withFile(await newSessionCustomer(w));
const official = async () => withFile(await newCustomer(w));
const schedules: Pick<Wait, "begin" | "end"> = {
  begin: (c) => scheduled(w, c, 5 * MINUTE_MS, image(c)),
  end: () => w.advance(5 * MINUTE_MS),
};
const accept = async (c: Who) => {
  expect((await sendAgain(c)).status).toBe(202);
  await w.settle();
};
let twoPhones: TwoPhones;

/** TABLE: the ways to wait, as far as each kind of phone has them. */
const WAITS: Record<string, Wait> = {
  "scheduled on a session": { customer: session, ...schedules },
  "scheduled on an official phone": { customer: official, ...schedules },
  "in the queue of a session that paces its sends": {
    customer: session,
    begin: async (c) => {
      network.pace = () => HOUR_MS;
      await accept(c);
    },
    end: async () => {
      network.pace = () => 0;
      await w.advance(2 * HOUR_MS);
    },
  },
  "to be tried again by a session": {
    customer: session,
    begin: async (c) => {
      network.outcomes.push({
        ok: false,
        kind: "retry",
        code: "UPSTREAM_UNAVAILABLE",
        reason: "busy",
        retryAfterMs: 10 * MINUTE_MS,
      });
      await accept(c);
    },
    end: () => w.advance(HOUR_MS),
  },
  "with an uncertain outcome on a session": {
    customer: session,
    begin: async (c) => {
      network.outcomes.push({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: "no answer" });
      await accept(c);
    },
    end: () => w.advance(HOUR_MS),
  },
  "for a session that is away, with a fallback": {
    async customer() {
      twoPhones = await newTwoPhones(w, network);
      return withFile(twoPhones);
    },
    async begin(c) {
      await twoPhones.lost();
      expect(
        (
          await w.gateway("/v1/messages", {
            key: c.key,
            body: { phoneId: c.phone.id, to: TO, ...image(c), fallback: twoPhones.fallback({ afterMinutes: 60 }) },
          })
        ).status,
      ).toBe(202);
      await w.settle();
    },
    async end() {
      await twoPhones.back();
      await w.advance(5 * MINUTE_MS);
    },
  },
  "to be tried again by an official phone": {
    customer: official,
    begin: async (c) => {
      w.graph.failNext(1, { kind: "error", code: 4 }, { phoneNumberId: c.phone.phoneNumberId });
      await accept(c);
    },
    end: () => w.advance(HOUR_MS),
  },
};

describe.each(Object.keys(WAITS))("the file of a message that waits %s", (name) => {
  const wait = WAITS[name] as Wait;
  test.each(Object.keys(MISHAPS))("is sent although it was %s, and goes when nothing needs it", async (mishap) => {
    const { strike, isUsable } = MISHAPS[mishap] as (typeof MISHAPS)[string];
    const c = await wait.customer();
    await w.advance(EXPIRY_MS - BEFORE_END_MS);
    await wait.begin(c);
    await strike(c);
    expect(filesOfAccount(c)).toHaveLength(1);
    const before = await statusesOf(c);
    if (!isUsable) expect([(await sendAgain(c)).status, await statusesOf(c)]).toEqual([400, before]);
    await wait.end(c);
    expect(await statusesOf(c)).toEqual(["SENT"]);
    if (wait.customer !== official) expect(sentBy(c).at(-1)).toBe(PNG.toString("hex"));
    await w.advance(2 * HOUR_MS);
    expect(filesOfAccount(c)).toEqual([]);
    expect(await storedBytes(c)).toBe(isUsable ? QUOTA : 0);
  });
});

describe("the file of a message", () => {
  /** TABLE: ways in which a message ends without being sent. */
  const ENDS: Record<string, (c: Who) => Promise<unknown>> = {
    "fails for good": async (c) => {
      network.outcomes.push({ ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", reason: "no" });
      await accept(c);
    },
    "is cancelled before its time": async (c) => {
      const id = await scheduled(w, c, 2 * DAY_MS, image(c));
      await w.advance(EXPIRY_MS + HOUR_MS);
      expect(filesOfAccount(c)).toHaveLength(1);
      expect((await onScheduled(w, c, id, { method: "DELETE" })).status).toBe(204);
    },
    "is due when its phone is away for too long": async (c) => {
      const id = await scheduled(w, c, EXPIRY_MS + MINUTE_MS, image(c));
      await reported(w, network, c.phone.id, { state: "CONNECTING" });
      await w.advance(EXPIRY_MS + 2 * MINUTE_MS);
      expect(filesOfAccount(c)).toHaveLength(1);
      await w.advance(10 * MINUTE_MS);
      expect((await endOf(w, c, id)).status).toBe("FAILED");
    },
    "goes with its phone": async (c) => {
      network.pace = () => DAY_MS * 5;
      await accept(c);
      await scheduled(w, c, 5 * DAY_MS, image(c));
      await w.advance(EXPIRY_MS + HOUR_MS);
      expect(filesOfAccount(c)).toHaveLength(1);
      expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" })).status).toBe(204);
      await w.settle();
    },
  };

  test.each(Object.keys(ENDS))("that %s goes at its end", async (name) => {
    const c = await session();
    await ENDS[name]?.(c);
    await w.advance(EXPIRY_MS + 2 * HOUR_MS);
    expect([filesOfAccount(c), await storedBytes(c)]).toEqual([[], 0]);
    expect(
      await rowsOf(w, "SELECT 1 FROM jobs WHERE kind = 'media.erase' AND instr(payload, ?1)", [c.accountId]),
    ).toEqual([]);
  });

  test.each(["session", "official"])(
    "is sent though a program deletes its id at once, on the kind %s",
    async (kind) => {
      const c = await (kind === "session" ? session() : official());
      network.outcomes.push({ ok: false, kind: "retry", code: "UPSTREAM_UNAVAILABLE", reason: "busy" });
      w.graph.failNext(1, { kind: "error", code: 4 }, { phoneNumberId: c.phone.phoneNumberId });
      const form = new FormData();
      form.append("messaging_product", "whatsapp");
      form.append("file", new Blob([PNG], { type: "image/png" }));
      const { id } = (await c.client.ask(`/${c.client.number.numberId}/media`, { raw: form })).body;
      expect((await c.client.send({ type: "image", image: { id } })).status).toBe(200);
      expect((await c.client.ask(`/${id}`, { method: "DELETE" })).body).toEqual({ success: true });
      expect((await c.client.send({ type: "image", image: { id } })).status).toBe(400);
      await w.settle(); // the first try
      await w.advance(2 * HOUR_MS);
      expect(await statusesOf(c)).toEqual(["SENT"]);
      await w.advance(2 * HOUR_MS);
      // the customer's other file has not ended
      expect(filesOfAccount(c)).toHaveLength(1);
    },
  );

  test("is there for the last of several, and each of them is sent", async () => {
    const c = await session();
    await scheduled(w, c, DAY_MS * 2, image(c));
    await scheduled(w, c, DAY_MS * 3, image(c));
    await w.advance(DAY_MS * 2 + HOUR_MS);
    expect([filesOfAccount(c).length, await statusesOf(c)]).toEqual([1, ["SENT"]]);
    await w.advance(DAY_MS + HOUR_MS);
    expect(await statusesOf(c)).toEqual(["SENT", "SENT"]);
    await w.advance(HOUR_MS);
    expect(filesOfAccount(c)).toEqual([]);
  });

  test("is kept by no refused message, and by no dry run", async () => {
    const c = await session();
    const { status } = await w.gateway("/v1/messages/scheduled", {
      key: c.key,
      body: { scheduledAt: inMs(w, 1000), payload: { phoneId: c.phone.id, to: TO, ...image(c) } },
    });
    expect(status).toBe(400);
    await w.gateway("/v1/messages/scheduled?dryRun=true", {
      key: c.key,
      body: { scheduledAt: inMs(w, DAY_MS * 5), payload: { phoneId: c.phone.id, to: TO, ...image(c) } },
    });
    await w.advance(EXPIRY_MS);
    expect(filesOfAccount(c)).toEqual([]);
  });

  test("is not kept by another account that names it", async () => {
    const c = await session();
    const other = await session();
    await w.app.env.db.write(async (tx) =>
      tx.run(
        `INSERT INTO messages (id, tenant_id, channel_id, environment, type, recipient, content, status, send_state,
          uncertain_attempts, created_at) VALUES ('stranger', ?1, 'none', 'live', 'image', 'pn:1', ?2, 'QUEUED', 'NONE', 0, 0)`,
        [other.accountId, JSON.stringify({ mediaHandle: c.handle })],
      ),
    );
    await w.advance(EXPIRY_MS);
    expect(filesOfAccount(c)).toEqual([]);
  });

  test("is kept through the write that accepts it: what was deleted before is refused there, and nothing is accepted", async () => {
    const c = await session();
    const scope = callerIn(c.accountId, LOCAL);
    const envelope = { channelId: c.phone.id, to: TO, type: "image" as const, content: { mediaHandle: c.handle } };
    const prepared = await prepareMessage(w.app.env, scope, envelope, {
      environment: "live",
      mustBeConnected: true,
      acceptedBy: null,
      requestId: null,
    });
    await dropKept(w.app.env, scope, c.handle);
    const accepting = w.app.env.db.write((tx) => acceptWithin(w.app.env, tx, prepared));
    expect(await accepting.catch((refusal: unknown) => refusal)).toMatchObject({ code: "VALIDATION" });
    expect(await statusesOf(c)).toEqual([]);
    await w.settle();
    expect(filesOfAccount(c)).toEqual([]);
  });

  test("goes along when its account is joined with an institution", async () => {
    const c = await session();
    await scheduled(w, c, DAY_MS * 2, image(c));
    const company = { account: c, institution: await institution(w) };
    await join(w, company);
    await w.advance(EXPIRY_MS + HOUR_MS);
    expect(filesOfAccount(c)).toHaveLength(1);
    await w.advance(DAY_MS);
    expect(sentBy(c)).toEqual([PNG.toString("hex")]);
    await w.advance(HOUR_MS);
    expect(filesOfAccount(c)).toEqual([]);
  });

  test("goes when the person whom it was for is erased", async () => {
    const c = await session();
    await scheduled(w, c, DAY_MS * 20, image(c));
    await w.advance(EXPIRY_MS + HOUR_MS);
    expect(filesOfAccount(c)).toHaveLength(1);
    const { status } = await w.gateway("/v1/admin/people/erase", { admin: true, body: { person: TO } });
    expect(status).toBe(202);
    await w.settle();
    await w.advance(2 * HOUR_MS);
    expect(filesOfAccount(c)).toEqual([]);
  });

  test("is seen by nobody after its end, though a message keeps it", async () => {
    const c = await session();
    await scheduled(w, c, DAY_MS * 3, image(c));
    const id = idOf(c.handle);
    expect((await c.client.ask(`/${id}`)).status).toBe(200);
    await c.client.ask(`/${id}`, { method: "DELETE" });
    await w.settle();
    expect((await c.client.ask(`/${id}`)).status).toBe(400);
    expect((await c.client.ask(`/${id}`, { method: "DELETE" })).status).toBe(400);
    expect((await w.gateway(`/v1/media/files/${c.handle}/content`, { key: c.key })).status).toBe(404);
    expect(filesOfAccount(c)).toHaveLength(1);
  });
});
