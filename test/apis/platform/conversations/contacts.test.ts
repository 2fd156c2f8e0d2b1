import { describe, expect, test } from "bun:test";
import {
  addContact,
  CONTACT_EVENTS,
  changeContact,
  contactBy,
  contactsOf,
  NUMBER,
  receivedBy,
  talk,
  talks,
} from "../../../support/customers/contacts.ts";
import { customer, made, rowsOf, webhookAt } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const now = () => new Date(w.clock.now()).toISOString();

/** A customer with a webhook for events of contacts. */
const listening = async () => {
  const who = await customer(w);
  const hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: CONTACT_EVENTS });
  return { who, hook };
};

const tags = (count: number) => Array.from({ length: count }, (_, n) => `tag ${n}`);
const metadataOf = (bytes: number) => ({ note: "x".repeat(bytes - '{"note":""}'.length) });

/** What each field refuses and takes, when a contact is created and when it is changed. */
const FIELDS: Record<string, { refused: unknown[]; taken: unknown[] }> = {
  name: { refused: [null, 7, "", "x".repeat(121), "a\0b"], taken: ["a", "😀".repeat(120)] },
  email: {
    refused: [7, "", "ana", "ana@", "@example.com", "a na@example.com", "a@b@c", `${"x".repeat(309)}@example.com`],
    taken: [null, "a@b", `${"x".repeat(308)}@example.com`],
  },
  tags: {
    refused: [null, "vip", [""], [7], [null], ["x".repeat(51)], tags(21)],
    taken: [[], ["VIP", "vip"], tags(20), ["😀".repeat(50)]],
  },
  metadata: {
    refused: [null, "text", 7, [], [{}], metadataOf(16 * 1024 + 1), { note: "é".repeat(8192) }],
    taken: [{}, { plan: { steps: [1, "a", null, { b: false }] }, "a\nb": 1 }, metadataOf(16 * 1024)],
  },
};

describe("POST /v1/contacts", () => {
  test("P-328 P-363 answers with the contact, and publishes it", async () => {
    const { who, hook } = await listening();
    const { status, body } = await addContact(w, who, {
      email: "ana@example.com",
      tags: ["vip", "sp", "vip"],
      metadata: { plan: "gold" },
    });
    const contact = {
      id: expect.any(String),
      name: "Ana",
      phoneNumber: NUMBER,
      email: "ana@example.com",
      tags: ["vip", "sp"],
      metadata: { plan: "gold" },
      optedOutAt: null,
      optedOutBy: null,
      environment: "live",
      createdAt: now(),
      updatedAt: now(),
    };
    expect([status, body]).toEqual([201, contact]);
    await w.settle();
    expect(hook.arrived.map((one) => one.body)).toEqual([
      {
        id: expect.any(String),
        event: "contact:created",
        type: "contact.created",
        timestamp: now(),
        institutionId: who.id,
        channelId: null,
        environment: "live",
        contact: body,
      },
    ]);
  });

  test("P-363 of the number and the name alone the rest is empty", async () => {
    const who = await customer(w);
    expect(made(await addContact(w, who), 201)).toMatchObject({ email: null, tags: [], metadata: {} });
  });

  test.each(["phoneNumber", "name"])("P-363 %s is required", async (field) => {
    const { who, hook } = await listening();
    expect(await addContact(w, who, { [field]: undefined })).toMatchObject({
      status: 400,
      body: {
        code: "VALIDATION_ERROR",
        errors: [{ path: field, validation: "required", message: expect.any(String) }],
      },
    });
    await w.settle();
    expect([(await contactsOf(w, who)).meta.total, hook.arrived]).toEqual([0, []]);
  });

  test.each([
    null,
    5511999990001,
    "",
    "1234567",
    "1".repeat(16),
    "+5511999990001",
    "55 11 999",
    "５５１１９９９９９",
    "5511999990001\n",
  ])("P-363 %p is no phoneNumber, and makes nothing", async (phoneNumber) => {
    const who = await customer(w);
    expect(await addContact(w, who, { phoneNumber })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", errors: [{ path: "phoneNumber" }] },
    });
    expect((await contactsOf(w, who)).meta.total).toBe(0);
  });

  test.each(["12345678", "1".repeat(15)])("P-363 %s is a phoneNumber", async (phoneNumber) => {
    expect(made(await addContact(w, await customer(w), { phoneNumber }), 201)).toMatchObject({ phoneNumber });
  });

  test.each(Object.entries(FIELDS))(
    "P-363 %s: what it refuses is named and makes nothing, what it takes is shown",
    async (field, { refused, taken }) => {
      const who = await customer(w);
      for (const value of refused) {
        const { status, body } = await addContact(w, who, { [field]: value });
        expect([value, status, body.code]).toEqual([value, 400, "VALIDATION_ERROR"]);
        expect(body.errors[0].path).toStartWith(field);
      }
      expect([(await contactsOf(w, who)).meta.total, (await rowsOf(w, who.id))["events"]]).toEqual([0, 0]);
      for (const [n, value] of taken.entries()) {
        const { id } = made(await addContact(w, who, { phoneNumber: `${44_000_000 + n}`, [field]: value }), 201);
        expect((await contactBy(w, who, id)).body).toMatchObject({ [field]: value });
      }
    },
  );

  test.each([NUMBER, "551199990001"])(
    "P-363 %s is a number in use, with or without the ninth digit: 409 CONTACT_ALREADY_EXISTS, no change",
    async (phoneNumber) => {
      const { who, hook } = await listening();
      const contact = made(await addContact(w, who), 201);
      await w.settle();
      expect(await addContact(w, who, { phoneNumber, name: "Bia" })).toMatchObject({
        status: 409,
        body: { code: "CONTACT_ALREADY_EXISTS", message: expect.any(String) },
      });
      await w.settle();
      expect([(await contactsOf(w, who)).data, hook.arrived.length]).toEqual([[contact], 1]);
    },
  );

  test.each([
    ["551132345678", "5511932345678"],
    ["351912345678", "35191234567"],
    ["5511999990001", "15511999990001"],
  ])("%s and %s are two numbers", async (one, other) => {
    const who = await customer(w);
    for (const phoneNumber of [one, other]) made(await addContact(w, who, { phoneNumber }), 201);
  });

  test("P-363 of two that ask for one number at once one gets it, the other 409", async () => {
    const { who, hook } = await listening();
    const answers = await Promise.all([addContact(w, who), addContact(w, who, { phoneNumber: "551199990001" })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    await w.settle();
    expect([(await contactsOf(w, who)).meta.total, hook.arrived.length]).toEqual([1, 1]);
  });

  test("P-363 two institutions may each have a contact of one number", async () => {
    const [one, other] = [await customer(w), await customer(w)];
    const ids = [made(await addContact(w, one), 201).id, made(await addContact(w, other), 201).id];
    expect(new Set(ids).size).toBe(2);
  });

  test("P-119 with a test key the contact is the same for all, and its event is marked", async () => {
    const { who, hook } = await listening();
    const { id } = made(await addContact(w, { key: who.testKey }), 201);
    await w.settle();
    expect([(await contactBy(w, who, id)).status, hook.arrived.map(({ body }) => body.environment)]).toEqual([
      200,
      ["test"],
    ]);
  });
});

describe("GET /v1/contacts/{contactId}", () => {
  test("P-362 shows what creating it showed", async () => {
    const who = await customer(w);
    const contact = made(await addContact(w, who), 201);
    expect(made(await contactBy(w, who, contact.id), 200)).toEqual(contact);
  });

  test("P-030 P-362 an unknown or another institution's contact is 404 CONTACT_NOT_FOUND on every route", async () => {
    const [who, stranger] = [await customer(w), await customer(w)];
    const contact = made(await addContact(w, stranger), 201);
    for (const id of [contact.id, "00000000-0000-4000-8000-000000000000", "nobody", "a%20b"]) {
      const answers = [
        await contactBy(w, who, id),
        await changeContact(w, who, id, { name: "Mine" }),
        await w.platform(`/v1/contacts/${id}`, { key: who.key, method: "DELETE" }),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([404, "CONTACT_NOT_FOUND"]));
    }
    expect((await contactBy(w, stranger, contact.id)).body).toEqual(contact);
  });
});

describe("GET /v1/contacts", () => {
  test("P-362 pages through all of them, newest first", async () => {
    const who = await customer(w);
    for (let n = 0; n < 25; n++)
      made(await addContact(w, who, { phoneNumber: `${44_000_000 + n}`, name: `Contact ${n}` }), 201);
    const names = Array.from({ length: 25 }, (_, n) => `Contact ${24 - n}`);
    const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);
    const [first, second, third] = [
      await contactsOf(w, who),
      await contactsOf(w, who, { page: "2" }),
      await contactsOf(w, who, { page: "3" }),
    ];
    expect([namesOf(first), first.meta]).toEqual([
      names.slice(0, 20),
      { total: 25, limit: 20, offset: 0, hasMore: true },
    ]);
    expect([namesOf(second), second.meta]).toEqual([
      names.slice(20),
      { total: 25, limit: 20, offset: 20, hasMore: false },
    ]);
    expect([third.data, third.meta]).toEqual([[], { total: 25, limit: 20, offset: 40, hasMore: false }]);
    const searched = await contactsOf(w, who, { search: "contact", page: "3", limit: "10" });
    expect([namesOf(searched), searched.meta]).toEqual([
      names.slice(20),
      { total: 25, limit: 10, offset: 20, hasMore: false },
    ]);
  });

  test("a page that begins after 500,000 contacts is 400 VALIDATION_ERROR that names the field", async () => {
    const who = await customer(w);
    const ask = (query: string) => w.platform(`/v1/contacts?${query}`, { key: who.key });
    expect((await ask("page=5001&limit=100")).body.meta).toEqual({
      total: 0,
      limit: 100,
      offset: 500_000,
      hasMore: false,
    });
    expect(await ask("page=5002&limit=100")).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", errors: [{ path: "page" }] },
    });
  });

  test.each(["page=0", "page=x", "limit=0", "limit=101", "limit=1.5", `search=${"x".repeat(201)}`])(
    "P-362 ?%s is 400 VALIDATION_ERROR naming it",
    async (query) => {
      const { key } = await customer(w);
      const { status, body } = await w.platform(`/v1/contacts?${query}`, { key });
      expect([status, body.code, body.errors[0].path]).toEqual([400, "VALIDATION_ERROR", query.split("=")[0]]);
    },
  );
});

describe("PATCH /v1/contacts/{contactId}", () => {
  test.each(Object.entries(FIELDS))(
    "P-329 P-363 %s: what it refuses is named and changes nothing, what it takes is shown and published",
    async (field, { refused, taken }) => {
      const { who, hook } = await listening();
      const contact = made(
        await addContact(w, who, { email: "ana@example.com", tags: ["old"], metadata: { old: true } }),
        201,
      );
      await w.advance(1000);
      for (const value of refused) {
        const { status, body } = await changeContact(w, who, contact.id, { [field]: value });
        expect([value, status, body.code]).toEqual([value, 400, "VALIDATION_ERROR"]);
        expect(body.errors[0].path).toStartWith(field);
      }
      await w.settle();
      expect([(await contactBy(w, who, contact.id)).body, hook.arrived.length]).toEqual([contact, 1]);
      for (const value of taken) {
        const changed = made(await changeContact(w, who, contact.id, { [field]: value }), 200);
        expect(changed).toEqual({ ...contact, [field]: value, updatedAt: now() });
        await w.settle();
        expect(receivedBy(hook).at(-1)).toEqual(["contact.updated", changed]);
      }
      expect(hook.arrived.length).toBe(1 + taken.length);
    },
  );

  test("P-363 what the body leaves out stays, and what it may not change is ignored, its number among it", async () => {
    const { who, hook } = await listening();
    const contact = made(
      await addContact(w, who, { email: "ana@example.com", tags: ["vip"], metadata: { plan: "gold" } }),
      201,
    );
    await w.advance(1000);
    expect(
      made(
        await changeContact(w, who, contact.id, {
          name: "Bia",
          phoneNumber: "5511999990002",
          id: "x",
          createdAt: "x",
          nonsense: 1,
        }),
        200,
      ),
    ).toEqual({
      ...contact,
      name: "Bia",
      updatedAt: now(),
    });
    await w.settle();
    expect(hook.arrived).toHaveLength(2);
  });

  test("P-329 what changes nothing publishes nothing, and leaves updatedAt", async () => {
    const { who, hook } = await listening();
    const contact = made(await addContact(w, who, { tags: ["vip"], metadata: { plan: { name: "gold" } } }), 201);
    await w.advance(1000);
    for (const fields of [
      {},
      { name: "Ana" },
      { tags: ["vip", "vip"], metadata: { plan: { name: "gold" } }, email: null },
      { phoneNumber: "5511999990002" },
    ])
      expect(made(await changeContact(w, who, contact.id, fields), 200)).toEqual(contact);
    await w.settle();
    expect(hook.arrived).toHaveLength(1);
  });
});

describe("DELETE /v1/contacts/{contactId}", () => {
  test("P-363 takes the contact from every list; its number may be another's then", async () => {
    const { who, hook } = await listening();
    const { id } = made(await addContact(w, who), 201);
    const answers = [
      await w.platform(`/v1/contacts/${id}`, { key: who.key, method: "DELETE" }),
      await w.platform(`/v1/contacts/${id}`, { key: who.key, method: "DELETE" }),
    ];
    expect(answers.map(({ status, text }) => [status, text === ""])).toEqual([
      [204, true],
      [404, false],
    ]);
    expect([
      (await contactBy(w, who, id)).status,
      (await contactsOf(w, who)).meta.total,
      (await contactsOf(w, who, { search: "ana" })).meta.total,
    ]).toEqual([404, 0, 0]);
    expect(made(await addContact(w, who, { name: "Bia" }), 201).id).not.toBe(id);
    await w.settle();
    expect(receivedBy(hook).map(([type]) => type)).toEqual(["contact.created", "contact.created"]);
  });

  test("P-363 its open conversations are closed, each with its event, and all stay as history", async () => {
    const { who, hook } = await listening();
    const [{ id: contactId }, other] = [
      made(await addContact(w, who), 201),
      made(await addContact(w, who, { phoneNumber: "5511999990002" }), 201),
    ];
    const idOf = (last: string) => `${who.id.slice(0, -1)}${last}`;
    const [one, another] = [idOf("8"), idOf("9")];
    await talk(w, who, { id: idOf("1"), channelId: one, contactId });
    await talk(w, who, { id: idOf("2"), channelId: another, contactId });
    await talk(w, who, { id: idOf("3"), channelId: one, contactId, status: "CLOSED" });
    await talk(w, who, { id: idOf("4"), channelId: one, contactId: other.id });
    made(await w.platform(`/v1/contacts/${contactId}`, { key: who.key, method: "DELETE" }), 204);
    await w.settle();
    expect(Object.values(await talks(w, who))).toEqual([
      [contactId, "CLOSED"],
      [contactId, "CLOSED"],
      [contactId, "CLOSED"],
      [other.id, "OPEN"],
    ]);
    const closed = hook.arrived.filter(({ body }) => body.type === "conversation.closed").map(({ body }) => body);
    const seen = closed.map(({ channelId, conversation }) => [
      channelId,
      conversation.channelId,
      conversation.status,
      conversation.closedAt,
    ]);
    // two chats: neither event waits for the other
    expect(seen.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      [one, one, "CLOSED", now()],
      [another, another, "CLOSED", now()],
    ]);
  });
});
