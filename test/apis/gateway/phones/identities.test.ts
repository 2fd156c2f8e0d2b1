import { beforeEach, describe, expect, test } from "bun:test";
import {
  type Customer,
  newCustomer,
  receivedBy,
  rowsOf,
  sendsOf,
  TO,
  tracesOf,
  wamidOf,
} from "../../../support/customers/customer.ts";
import { messageFrom, ofNumber, post, postInbound, resolve, secondsAt } from "../../../support/networks/waba-posts.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";

const BSUID = "BR.13491208655302741918";
const PARENT = "BR.ENT.11815799212886844830";
const ANA = { pn: TO, bsuid: BSUID, parentBsuid: PARENT, username: "ana.k" };
const IDENTITY = {
  canonicalKey: `pn:${TO}`,
  pn: `${TO}@s.whatsapp.net`,
  lid: null,
  bsuid: BSUID,
  username: "ana.k",
  parentBsuid: PARENT,
  type: "pn",
};

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
let c: Customer;
beforeEach(async () => {
  c = await newCustomer(w);
});

const known = async (name: string) => (await resolve(w, c, name)).body;
const rows = () =>
  rowsOf(w, "SELECT pn, bsuid, parent_bsuid, username, name FROM identities WHERE channel_id = ?1 ORDER BY id", [
    c.phone.id,
  ]);
const lastFrom = () => receivedBy(c.hook, "message:received").at(-1).from;

describe("GET /v1/phones/{id}/identities/resolve", () => {
  test.each([
    `pn:${TO}`,
    TO,
    `+${TO}`,
    BSUID,
    `bsuid:${BSUID}`,
    PARENT,
    `bsuid:${PARENT}`,
    "ana.k",
    "@ana.k",
    "@Ana.K",
    "username:ana.k",
    `${TO}@s.whatsapp.net`,
    ` ${TO} `,
  ])("G-221 G-222 G-223 G-224 %p is the same person, with every field", async (name) => {
    await postInbound(w, c, ANA);
    const { status, body } = await resolve(w, c, name);
    expect([status, body]).toEqual([200, IDENTITY]);
  });

  test("G-221 a plus that nobody escaped is taken for what it was", async () => {
    await postInbound(w, c, ANA);
    expect((await w.gateway(`/v1/phones/${c.phone.id}/identities/resolve?key=+${TO}`, { key: c.key })).body).toEqual(
      IDENTITY,
    );
  });

  test("G-222 what is not known is null", async () => {
    await postInbound(w, c, { bsuid: BSUID });
    expect(await known(BSUID)).toEqual({
      canonicalKey: `bsuid:${BSUID}`,
      pn: null,
      lid: null,
      bsuid: BSUID,
      username: null,
      parentBsuid: null,
      type: "bsuid",
    });
  });

  test("G-225 nobody is found by another's name, a wrong kind of name, or a group's", async () => {
    await postInbound(w, c, ANA);
    await postInbound(w, c, { pn: "5511999990002" }, { group_id: "Y2Fw" });
    for (const name of [
      "5511999990009",
      `lid:${TO}`,
      `${TO}@lid`,
      `igsid:${TO}`,
      `username:${TO}`,
      "BR.1",
      "ana",
      "group:Y2Fw",
      "%",
      "a:b",
      "pn:",
      "constructor",
    ])
      expect([name, gatewaySays(await resolve(w, c, name))]).toEqual([name, "404 IDENTITY_NOT_FOUND"]);
  });

  test.each(["", "?key=", "?key=%20%00", `?key=${"x".repeat(257)}`])(
    "G-220 without a key that can be one (%p) it is refused",
    async (query) => {
      const { status, body } = await w.gateway(`/v1/phones/${c.phone.id}/identities/resolve${query}`, { key: c.key });
      expect([status, body.error.code, Object.keys(body.error.details.fieldErrors)]).toEqual([
        400,
        "VALIDATION_ERROR",
        ["key"],
      ]);
    },
  );

  test("G-226 an unknown phone, and another account's, are not found; nor is anything of it shown", async () => {
    const other = await newCustomer(w);
    await postInbound(w, other, ANA);
    for (const id of [other.phone.id, "0198a000-1111-4222-8333-444455556666", "nonsense"])
      expect(gatewaySays(await w.gateway(`/v1/phones/${id}/identities/resolve?key=${TO}`, { key: c.key }))).toBe(
        "404 PHONE_NOT_FOUND",
      );
    expect(gatewaySays(await resolve(w, c, TO))).toBe("404 IDENTITY_NOT_FOUND");
  });

  test("asking changes nothing", async () => {
    await postInbound(w, c, ANA);
    const before = [await tracesOf(w, c), await rows()];
    await resolve(w, c, BSUID);
    await resolve(w, c, "nobody");
    expect([await tracesOf(w, c), await rows()]).toEqual(before);
  });
});

describe("who is who becomes known", () => {
  test("GAP-G25 a sender who shows only the user id is known by the number, once that was shown", async () => {
    await postInbound(w, c, { pn: TO, bsuid: BSUID });
    await postInbound(w, c, { bsuid: BSUID });
    expect(lastFrom()).toEqual({
      canonicalKey: `pn:${TO}`,
      pn: `${TO}@s.whatsapp.net`,
      lid: null,
      type: "pn",
      bsuid: BSUID,
    });
    expect(receivedBy(c.hook).at(-1).chat).toEqual(lastFrom());
  });

  test("GAP-G25 and one who showed only the number gets the other names as they are reported", async () => {
    await postInbound(w, c, { pn: TO });
    await postInbound(w, c, { pn: TO, bsuid: BSUID });
    await postInbound(w, c, { bsuid: BSUID, username: "ana.k" });
    expect(lastFrom()).toMatchObject({ canonicalKey: `pn:${TO}`, bsuid: BSUID, username: "ana.k" });
    expect(await rows()).toMatchObject([{ pn: TO, bsuid: BSUID, username: "ana.k" }]);
  });

  test("two who turn out to be one become one", async () => {
    await postInbound(w, c, { pn: TO });
    await postInbound(w, c, { bsuid: BSUID, username: "ana.k" });
    expect(await rows()).toHaveLength(2);
    await postInbound(w, c, { pn: TO, bsuid: BSUID });
    expect(await rows()).toMatchObject([{ pn: TO, bsuid: BSUID, username: "ana.k" }]);
  });

  test("a user id that moves to another number takes its names along; the old number is nobody's", async () => {
    await postInbound(w, c, ANA);
    await postInbound(w, c, { ...ANA, pn: "5521977776666" });
    expect(await known(BSUID)).toMatchObject({ pn: "5521977776666@s.whatsapp.net", username: "ana.k" });
    expect((await resolve(w, c, TO)).status).toBe(404);
  });

  test("a number that somebody new has is theirs, and what the former holder is called stays the former holder's", async () => {
    await postInbound(w, c, ANA);
    await postInbound(w, c, { pn: TO, bsuid: "BR.NEW" });
    expect(await known(TO)).toMatchObject({ bsuid: "BR.NEW", username: null, parentBsuid: null });
    expect(await known(BSUID)).toMatchObject({
      canonicalKey: `bsuid:${BSUID}`,
      pn: null,
      username: "ana.k",
      parentBsuid: PARENT,
    });
  });

  test("a username that was given up and taken by another is the other's, and joins nobody", async () => {
    await postInbound(w, c, ANA);
    await postInbound(w, c, { bsuid: "BR.OTHER", username: "ana.k" });
    expect(await known("ana.k")).toMatchObject({ canonicalKey: "bsuid:BR.OTHER", pn: null });
    expect(await known(TO)).toMatchObject({ bsuid: BSUID, username: null });
    await postInbound(w, c, { ...ANA, username: "ana.new" });
    expect([await known("ana.new"), await known("ana.k")]).toMatchObject([
      { pn: `${TO}@s.whatsapp.net` },
      { bsuid: "BR.OTHER" },
    ]);
  });

  test("a username says not who somebody is: a number that was seen with it is not given to the person who has it now", async () => {
    await postInbound(w, c, { pn: TO, username: "ana.k" });
    await postInbound(w, c, { bsuid: "BR.OTHER", username: "ana.k" });
    expect(await known("BR.OTHER")).toMatchObject({ pn: null, username: "ana.k" });
    expect(await known(TO)).toMatchObject({ bsuid: null, username: null });
  });

  test("a username alone is somebody, and is merged with the person who is seen with it alone", async () => {
    await postInbound(w, c, { bsuid: BSUID, username: "ana.k" });
    expect(await known("@ana.k")).toMatchObject({ canonicalKey: `bsuid:${BSUID}` });
  });

  test("a changed number is reported by the network, with and without the ids", async () => {
    await postInbound(w, c, ANA);
    const system = (fields: object) =>
      ofNumber(c, {
        messages: [
          { from: TO, id: `wamid.${Bun.randomUUIDv7()}`, timestamp: "1700000100", type: "system", system: fields },
        ],
      });
    await post(w, [
      system({ type: "user_changed_number", wa_id: "5521977776666", user_id: "BR.NEW", previous_user_id: BSUID }),
    ]);
    expect(await known("BR.NEW")).toMatchObject({ pn: "5521977776666@s.whatsapp.net", username: "ana.k" });
    expect([(await resolve(w, c, TO)).status, (await resolve(w, c, BSUID)).status]).toEqual([404, 404]);
    expect(receivedBy(c.hook, "message:received")).toHaveLength(1);
  });

  test("a late report of a changed number does not take it from the person who was seen with it since", async () => {
    await postInbound(w, c, { pn: TO, bsuid: BSUID }, { timestamp: "1700000100" });
    await postInbound(w, c, { pn: "5521977776666", bsuid: "BR.NEW" }, { timestamp: "1700000300" });
    const system = { type: "user_changed_number", wa_id: "5521977776666" };
    await post(w, [
      ofNumber(c, { messages: [{ from: TO, id: "wamid.SYS", timestamp: "1700000200", type: "system", system }] }),
    ]);
    expect(await known("5521977776666")).toMatchObject({ bsuid: "BR.NEW" });
    expect([(await resolve(w, c, TO)).status, (await known(BSUID)).pn]).toEqual([404, null]);
  });

  test("a user id that changed takes its number along", async () => {
    await postInbound(w, c, ANA);
    await post(w, [
      ofNumber(
        c,
        { user_id_update: [{ user_id: { previous: BSUID, current: "BR.NEW" }, timestamp: "1700000100" }] },
        "user_id_update",
      ),
    ]);
    expect(await known("BR.NEW")).toMatchObject({ canonicalKey: `pn:${TO}`, username: "ana.k" });
    expect((await resolve(w, c, BSUID)).status).toBe(404);
  });

  test("a late report that contradicts newer ones changes nothing; the message itself is published as it came", async () => {
    await postInbound(w, c, { ...ANA, pn: "5521977776666" }, { timestamp: "1700000200" });
    await postInbound(
      w,
      c,
      { pn: TO, bsuid: BSUID, username: "ana.old", name: "Ana of old" },
      { timestamp: "1700000100" },
    );
    expect(await known(BSUID)).toMatchObject({ pn: "5521977776666@s.whatsapp.net", username: "ana.k" });
    expect(lastFrom()).toMatchObject({ canonicalKey: `pn:${TO}`, username: "ana.old" });
    expect(await rows()).toMatchObject([{ name: "Ana" }]);
  });

  test("every message has the sender of its own envelope, also when others write between", async () => {
    const people = Array.from({ length: 12 }, (_, index) => ({ pn: `55119999900${10 + index}`, bsuid: `BR.${index}` }));
    const shown = people.map((who, index) =>
      index % 3 === 0 ? { bsuid: who.bsuid } : index % 3 === 1 ? { pn: who.pn } : who,
    );
    for (const who of people) await postInbound(w, c, who);
    c.hook.arrived.length = 0;
    await post(
      w,
      shown.map((who, index) => ofNumber(c, messageFrom(who, { text: { body: String(index) } }))),
    );
    expect(receivedBy(c.hook).map(({ content, from }) => [content.text, from.canonicalKey, from.bsuid])).toEqual(
      people.map(({ pn, bsuid }, index) => [String(index), `pn:${pn}`, bsuid]),
    );
  });

  test("each phone knows its own people", async () => {
    const other = await newCustomer(w);
    await postInbound(w, c, ANA);
    await postInbound(w, other, { bsuid: BSUID });
    expect(receivedBy(other.hook).at(-1).from).toEqual({
      canonicalKey: `bsuid:${BSUID}`,
      pn: null,
      lid: null,
      type: "bsuid",
      bsuid: BSUID,
    });
  });

  test("the same envelopes at the same time, again and again, make one person", async () => {
    const bodies = [
      ofNumber(c, messageFrom({ pn: TO })),
      ofNumber(c, messageFrom({ bsuid: BSUID })),
      ofNumber(c, messageFrom({ pn: TO, bsuid: BSUID })),
    ];
    await Promise.all(
      [...bodies, ...bodies, ...bodies].map((one) =>
        w.graph.inbound.raw({ object: "whatsapp_business_account", entry: [{ id: "1", changes: [one] }] }),
      ),
    );
    await w.settle();
    expect(await rows()).toMatchObject([{ pn: TO, bsuid: BSUID }]);
  });
});

describe("a receipt teaches who the recipient is", () => {
  test("and the receipts after it say so, in the same chat as the person's messages", async () => {
    const id = await c.sent();
    const statuses = [
      {
        id: wamidOf(w, id),
        status: "delivered",
        timestamp: secondsAt(w.clock.now()),
        recipient_id: TO,
        recipient_user_id: BSUID,
      },
    ];
    await post(w, [ofNumber(c, { statuses })]);
    expect(await known(BSUID)).toMatchObject({ canonicalKey: `pn:${TO}` });
    expect(receivedBy(c.hook, "message:status").map(({ status, to }) => [status, to.canonicalKey, to.bsuid])).toEqual([
      ["sent", `pn:${TO}`, undefined],
      ["delivered", `pn:${TO}`, BSUID],
    ]);
  });

  test("also one of a message that was sent elsewhere", async () => {
    await post(w, [
      ofNumber(c, {
        statuses: [
          { id: "wamid.ELSEWHERE", status: "read", timestamp: "1", recipient_id: TO, recipient_user_id: BSUID },
        ],
      }),
    ]);
    expect(await known(TO)).toMatchObject({ bsuid: BSUID });
    expect(receivedBy(c.hook)).toEqual([]);
  });
});

describe("a send to a user id", () => {
  test("G-279 goes to the number, where it is known; its receipts and the person's messages are of one chat", async () => {
    await postInbound(w, c, { pn: TO, bsuid: BSUID });
    const id = await c.sent({ to: `bsuid:${BSUID}` });
    expect(sendsOf(w, c)).toMatchObject([{ to: TO }]);
    expect(sendsOf(w, c)[0]).not.toHaveProperty("recipient");
    expect(receivedBy(c.hook, "message:status")).toMatchObject([
      { messageId: id, to: { canonicalKey: `pn:${TO}`, bsuid: BSUID } },
    ]);
  });

  test("G-279 goes to the id, where the number is not known, or not any more", async () => {
    await postInbound(w, c, { bsuid: BSUID });
    await c.sent({ to: `bsuid:${BSUID}` });
    await postInbound(w, c, { pn: TO, bsuid: BSUID }, { timestamp: "1700000001" });
    await postInbound(w, c, { pn: TO, bsuid: "BR.NEW" }, { timestamp: "1700000002" });
    await c.sent({ to: `bsuid:${BSUID}` });
    expect(sendsOf(w, c).map(({ to, recipient }) => [to, recipient])).toEqual([
      [undefined, BSUID],
      [undefined, BSUID],
    ]);
  });

  test("G-279 nobody's number is learned from another account's phone", async () => {
    const other = await newCustomer(w);
    await postInbound(w, other, { pn: TO, bsuid: BSUID });
    await c.sent({ to: `bsuid:${BSUID}` });
    expect(sendsOf(w, c)).toMatchObject([{ recipient: BSUID }]);
  });
});

describe("deleting a phone", () => {
  test("forgets whom it knew and what it received, a few rows at a time, and nothing of other phones; what was sent stays", async () => {
    const other = await newCustomer(w);
    c = await newCustomer(w, { events: ["channel:connected"] }); // posting 700 events takes its time
    const id = await c.sent();
    await postInbound(w, other, ANA);
    const many = Array.from({ length: 700 }, (_, index) => messageFrom({ pn: String(5511900000000 + index) }));
    await post(
      w,
      many.map((one) => ofNumber(c, one)),
    );
    const count = async (table: string, channelId: string) =>
      (await rowsOf<{ n: number }>(w, `SELECT count(*) AS n FROM ${table} WHERE channel_id = ?1`, [channelId]))[0]?.n;
    expect([await count("identities", c.phone.id), await count("inbox", c.phone.id)]).toEqual([700, 700]);
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" })).status).toBe(204);
    await w.settle();
    expect([await count("identities", c.phone.id), await count("inbox", c.phone.id)]).toEqual([0, 0]);
    expect([await count("identities", other.phone.id), await count("inbox", other.phone.id)]).toEqual([1, 1]);
    expect((await c.message(id)).status).toBe("SENT");
    expect(gatewaySays(await resolve(w, c, TO))).toBe("404 PHONE_NOT_FOUND");
  });
});
