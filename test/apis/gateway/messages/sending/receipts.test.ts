import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Customer, newCustomer, receivedBy, rowsOf, TO, wamidOf } from "../../../../support/customers/customer.ts";
import { messageFrom, ofNumber, post } from "../../../../support/networks/waba-posts.ts";
import { useWorld } from "../../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
let c: Customer;
beforeEach(async () => {
  c = await newCustomer(w);
});

type Fields = Record<string, unknown>;
const receipt = (id: string, status: string, more: Fields = {}): Fields => ({
  id,
  status,
  timestamp: "1800000000",
  recipient_id: TO,
  ...more,
});
const statuses = (customer: Pick<Customer, "phone">, ...all: Fields[]) => ofNumber(customer, { statuses: all });
const received = (id: string, customer = c) =>
  receivedBy(customer.hook, "message:status")
    .filter(({ messageId }) => messageId === id)
    .map(({ status }) => status);
const pricingOf = async (id: string) =>
  JSON.parse(
    (await rowsOf<{ pricing: string | null }>(w, "SELECT pricing FROM messages WHERE id = ?1", [id]))[0]?.pricing ??
      "null",
  );

const RANK = ["sent", "delivered", "read", "failed"];

describe("receipts in any order, repeated and skipped", () => {
  test("G-397 G-398 G-399 G-400 G-401 GAP-C16 move a message forward only; each state is published once, and nothing after a failure", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("sent", "delivered", "read", "played", "failed"), { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (names, isBatched) => {
          const id = await c.sent();
          const key = wamidOf(w, id);
          const changes = names.map((name) => statuses(c, receipt(key, name, { nonce: Bun.randomUUIDv7() })));
          if (isBatched) await post(w, changes);
          else for (const one of changes) await post(w, [one]);
          const states = received(id);
          const ranks = states.map((state) => RANK.indexOf(state));
          expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b));
          const failedAt = names.indexOf("failed");
          const counted = failedAt < 0 ? names : names.slice(0, failedAt + 1);
          const highest = Math.max(0, ...counted.map((name) => RANK.indexOf(name === "played" ? "read" : name)));
          expect((await c.message(id)).status).toBe((RANK[highest] ?? "").toUpperCase());
          expect(states.at(-1)).toBe(RANK[highest] ?? "");
        },
      ),
      { numRuns: 30 },
    );
  });

  test("G-399 a voice message that was played is read, once", async () => {
    const id = await c.sent();
    await post(w, [statuses(c, receipt(wamidOf(w, id), "read"), receipt(wamidOf(w, id), "played"))]);
    expect(received(id)).toEqual(["sent", "read"]);
  });
});

describe("receipts that are not of this phone's messages", () => {
  test("of a message that was sent through another phone change nothing there, even under our messageId", async () => {
    const other = await newCustomer(w);
    const theirs = await other.sent();
    await post(w, [
      statuses(
        c,
        receipt(wamidOf(w, theirs), "read"),
        receipt("wamid.ELSE", "read", { biz_opaque_callback_data: theirs }),
      ),
    ]);
    expect([(await other.message(theirs)).status, received(theirs, other), receivedBy(c.hook)]).toEqual([
      "SENT",
      ["sent"],
      [],
    ]);
  });

  test("of an unknown message are not published", async () => {
    await post(
      w,
      RANK.map((name) =>
        statuses(
          c,
          receipt("wamid.NOBODYS", name, { biz_opaque_callback_data: "0198a000-1111-4222-8333-444455556666" }),
        ),
      ),
    );
    expect(receivedBy(c.hook)).toEqual([]);
  });

  test("of a group's participants count as the first of them; a failure for one of them fails nothing", async () => {
    const id = await c.sent();
    const ofGroup = (status: string, participant: string) =>
      receipt(wamidOf(w, id), status, {
        recipient_type: "group",
        recipient_id: "Y2Fw",
        recipient_participant_id: participant,
      });
    await post(w, [
      statuses(
        c,
        ofGroup("delivered", "5511900000001"),
        ofGroup("failed", "5511900000002"),
        ofGroup("delivered", "5511900000003"),
        ofGroup("read", "5511900000001"),
      ),
    ]);
    expect([received(id), (await c.message(id)).status]).toEqual([["sent", "delivered", "read"], "READ"]);
  });
});

describe("what a message costs", () => {
  const pricing = (category: string, billable = true) => ({
    pricing: { billable, pricing_model: "PMP", type: billable ? "regular" : "free_customer_service", category },
  });

  test("GAP-G68 is kept from the first receipt that says so, also where that one changes nothing, and is not counted twice", async () => {
    const id = await c.sent();
    const key = wamidOf(w, id);
    expect(await pricingOf(id)).toBeNull();
    await post(w, [statuses(c, receipt(key, "sent", pricing("utility")))]);
    expect(await pricingOf(id)).toMatchObject({ isBillable: true, category: "utility" });
    await post(w, [statuses(c, receipt(key, "delivered", pricing("marketing", false)), receipt(key, "read"))]);
    expect(await pricingOf(id)).toMatchObject({ isBillable: true, category: "utility" });
    expect(received(id)).toEqual(["sent", "delivered", "read"]);
  });

  test("GAP-G68 is kept of a receipt that comes after a later one", async () => {
    const id = await c.sent();
    await post(w, [
      statuses(c, receipt(wamidOf(w, id), "read")),
      statuses(c, receipt(wamidOf(w, id), "delivered", pricing("service", false))),
    ]);
    expect(await pricingOf(id)).toMatchObject({ isBillable: false, category: "service" });
  });
});

test("G-610 a thousand updates in one webhook are each published, once, however often it comes", async () => {
  // the log is read, because posting takes time
  c = await newCustomer(w, { events: ["channel:connected"] });
  const sent = await Promise.all(Array.from({ length: 20 }, () => c.send()));
  await w.settle();
  const ids = sent.map(({ body }) => body.messageId as string);
  const changes = Array.from({ length: 980 }, (_, index) =>
    ofNumber(
      c,
      messageFrom(
        { pn: String(5511900000000 + (index % 40)) },
        { id: `wamid.K${index}`, text: { body: String(index) } },
      ),
    ),
  );
  const read = ids.map((id) => statuses(c, receipt(wamidOf(w, id), "read")));
  expect(await post(w, [...changes, ...read])).toEqual([200]);
  expect(await post(w, [...changes.toReversed(), ...read])).toEqual([200]);
  const received = await rowsOf<{ type: string; body: string }>(
    w,
    "SELECT type, body FROM events WHERE channel_id = ?1 AND audience = 'gateway' ORDER BY seq",
    [c.phone.id],
  );
  const data = (type: string) =>
    received.filter((event) => event.type === type).map(({ body }) => JSON.parse(body).data);
  expect(data("message:received").map(({ content }) => content.text)).toEqual(changes.map((_, index) => String(index)));
  expect(data("message:status").flatMap(({ messageId, status }) => (status === "read" ? [messageId] : []))).toEqual(
    ids,
  );
  expect((await rowsOf(w, "SELECT id FROM jobs")).length).toBe(0);
});
