import { describe, expect, test } from "bun:test";
import {
  addContact,
  CONTACT_EVENTS,
  changeContact,
  contactBy,
  contactsOf,
  foundBy,
  meet,
  NUMBER,
  receivedBy,
  talk,
  talks,
} from "../../../support/customers/contacts.ts";
import { ANA, newDesk } from "../../../support/customers/conversations.ts";
import { customer, made, webhookAt } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

/** Channels, as contacts are met on them. */
const [A, B, C] = [1, 2, 3].map((one) => `01a5c0de-0000-4000-8000-00000000000${one}`) as [string, string, string];

const w = useWorld();

const listening = async () => {
  const who = await customer(w);
  const hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: CONTACT_EVENTS });
  return { who, hook };
};

const types = (hook: Parameters<typeof receivedBy>[0]) => receivedBy(hook).map(([type]) => type);
const SHORT = "551199990001";

describe("somebody of a network", () => {
  test("P-328 a new person becomes a contact with the network's name; one event, with the channel", async () => {
    const { who, hook } = await listening();
    const { id } = await meet(w, who, A, { pn: NUMBER, name: "Ana" });
    const contact = made(await contactBy(w, who, id), 200);
    expect(contact).toMatchObject({ name: "Ana", phoneNumber: NUMBER, email: null, tags: [], metadata: {} });
    expect(hook.arrived.map(({ body }) => body)).toMatchObject([
      { type: "contact.created", channelId: A, environment: "live", contact },
    ]);
    await w.advance(1000);
    for (const channel of [A, B]) expect((await meet(w, who, channel, { pn: NUMBER, name: "Ana" })).id).toBe(id);
    expect([made(await contactBy(w, who, id), 200), types(hook)]).toEqual([contact, ["contact.created"]]);
  });

  test("P-363 is the contact that was made with the number before, with its ninth digit or without", async () => {
    const { who } = await listening();
    const { id } = made(await addContact(w, who), 201);
    const met = [
      await meet(w, who, A, { pn: NUMBER }),
      await meet(w, who, A, { pn: SHORT }),
      await meet(w, who, A, { pn: SHORT, lid: "77" }),
    ];
    expect(met.map((one) => [one.id, one.phoneNumber])).toEqual(Array(3).fill([id, NUMBER]));
    expect((await contactsOf(w, who)).meta.total).toBe(1);
  });

  test("P-363 keeps the name that PATCH set, whatever the network calls them", async () => {
    const { who, hook } = await listening();
    const { id } = await meet(w, who, A, { pn: NUMBER, name: "aninha ✨" });
    made(await changeContact(w, who, id, { name: "Ana Souza" }), 200);
    expect((await meet(w, who, A, { pn: NUMBER, name: "aninha 2" })).name).toBe("Ana Souza");
    await w.settle();
    expect(types(hook)).toEqual(["contact.created", "contact.updated"]);
  });

  test("P-329 without a name, takes the first that the network reports, up to 120 characters; blank is none", async () => {
    const { who, hook } = await listening();
    const { id } = await meet(w, who, A, { pn: NUMBER, name: " \n\0 " });
    expect(made(await contactBy(w, who, id), 200).name).toBe(NUMBER);
    await meet(w, who, A, { pn: NUMBER, name: `  ${"😀".repeat(121)}` });
    await meet(w, who, A, { pn: NUMBER, name: "Later" });
    expect(made(await contactBy(w, who, id), 200).name).toBe("😀".repeat(120));
    expect(types(hook)).toEqual(["contact.created", "contact.updated"]);
  });

  test.each(["lid", "bsuid", "igsid", "username"])("is known by the %s while nothing else is known", async (name) => {
    const { who, hook } = await listening();
    const { id } = await meet(w, who, A, { [name]: "77", name: "Ana" });
    expect((await meet(w, who, B, { [name]: "77" })).id).toBe(id);
    expect((await meet(w, who, B, { [name]: "78" })).id).not.toBe(id);
    expect(made(await contactBy(w, who, id), 200)).toMatchObject({ name: "Ana", phoneNumber: null });
    expect(types(hook)).toEqual(["contact.created", "contact.created"]);
  });

  test.each(["lid", "bsuid"])("P-329 known by the %s gets the number once both are reported", async (name) => {
    const { who, hook } = await listening();
    const { id } = await meet(w, who, A, { [name]: "77", name: "Ana" });
    expect(await meet(w, who, A, { [name]: "77", pn: NUMBER })).toMatchObject({ id, phoneNumber: NUMBER });
    for (const identity of [{ pn: SHORT }, { [name]: "77", pn: NUMBER }])
      expect((await meet(w, who, A, identity)).id).toBe(id);
    expect((await contactBy(w, who, id)).status).toBe(200);
    expect(receivedBy(hook)).toMatchObject([
      ["contact.created", { id, phoneNumber: null }],
      ["contact.updated", { id, phoneNumber: NUMBER }],
    ]);
    expect(await foundBy(w, who, "99990001")).toEqual(["Ana"]);
  });

  test("a username beside another id or a number identifies nobody", async () => {
    const who = await customer(w);
    const met = [
      await meet(w, who, A, { username: "ana" }),
      await meet(w, who, A, { username: "ana", bsuid: "BR.1" }),
      await meet(w, who, A, { username: "ana", pn: NUMBER }),
    ];
    expect(new Set(met.map(({ id }) => id)).size).toBe(3);
  });

  test("is another contact in another institution", async () => {
    const [one, other] = [await customer(w), await customer(w)];
    for (const identity of [{ pn: NUMBER }, { lid: "77" }]) {
      const [mine, theirs] = [await meet(w, one, A, identity), await meet(w, other, A, identity)];
      expect(mine.id).not.toBe(theirs.id);
      expect((await contactBy(w, one, theirs.id)).status).toBe(404);
    }
  });

  test("P-328 met and created at once is one contact", async () => {
    const { who, hook } = await listening();
    const [met, created] = await Promise.all([meet(w, who, A, { pn: SHORT }), addContact(w, who)]);
    await w.settle();
    expect([(await contactsOf(w, who)).meta.total, types(hook)]).toEqual([1, ["contact.created"]]);
    expect(created.status === 409 || created.body.id === met.id).toBe(true);
  });

  test("who was deleted and is met again is a new contact", async () => {
    const who = await customer(w);
    const { id } = await meet(w, who, A, { pn: NUMBER });
    made(await w.platform(`/v1/contacts/${id}`, { key: who.key, method: "DELETE" }), 204);
    expect((await meet(w, who, A, { pn: NUMBER })).id).not.toBe(id);
  });
});

test("P-328 P-363 a first writer becomes a contact with the network's name; after PATCH, messages leave it", async () => {
  const d = await newDesk(w);
  await d.receives({ name: "Ana ✨" });
  const { contactId } = await d.conversation();
  expect(made(await contactBy(w, d, contactId), 200)).toMatchObject({ name: "Ana ✨", phoneNumber: ANA });
  made(await changeContact(w, d, contactId, { name: "Ana Souza" }), 200);
  await d.receives({ name: "Aninha" });
  expect(made(await contactBy(w, d, contactId), 200).name).toBe("Ana Souza");
  expect(d.received().filter((type) => type.startsWith("contact."))).toEqual(["contact.created", "contact.updated"]);
});

describe("two contacts that turn out to be one person", () => {
  test("P-325 P-329 merge into the one with the number: conversations move; of two open ones the other's is closed first", async () => {
    const { who, hook } = await listening();
    const numbered = made(await addContact(w, who, { name: "Ana", tags: ["vip"], metadata: { plan: "gold" } }), 201);
    const { id: double } = await meet(w, who, A, { lid: "77", name: "aninha" });
    made(
      await changeContact(w, who, double, {
        email: "ana@example.com",
        tags: ["novo", "vip"],
        metadata: { plan: "none", from: "site" },
      }),
      200,
    );
    const idOf = (last: string) => `${who.id.slice(0, -1)}${last}`;
    const open = (id: string, channelId: string, contactId: string, status: "OPEN" | "CLOSED" = "OPEN") =>
      talk(w, who, { id: idOf(id), channelId, contactId, status });
    await open("1", A, numbered.id);
    await open("2", A, double);
    await open("3", B, double);
    await open("4", C, double, "CLOSED");
    await open("5", C, numbered.id);
    await w.settle();
    const before = hook.arrived.length;

    expect((await meet(w, who, A, { pn: SHORT, lid: "77", name: "aninha" })).id).toBe(numbered.id);

    const id = numbered.id;
    expect(Object.values(await talks(w, who))).toEqual([
      [id, "OPEN"],
      [id, "CLOSED"],
      [id, "OPEN"],
      [id, "CLOSED"],
      [id, "OPEN"],
    ]);
    const merged = {
      id,
      name: "Ana",
      phoneNumber: NUMBER,
      email: "ana@example.com",
      tags: ["vip", "novo"],
      metadata: { plan: "gold", from: "site" },
    };
    expect(receivedBy(hook).slice(before)).toMatchObject([
      ["conversation.closed", { id: idOf("2"), channelId: A, status: "CLOSED" }],
      ["contact.updated", merged],
    ]);
    expect([made(await contactBy(w, who, id), 200), (await contactBy(w, who, double)).status]).toMatchObject([
      merged,
      404,
    ]);
    expect([await foundBy(w, who, "novo"), await foundBy(w, who, "aninha")]).toEqual([["Ana"], []]);
    expect((await contactsOf(w, who)).meta.total).toBe(1);
  });

  test("without anything to add to the one with the number publish nothing", async () => {
    const { who, hook } = await listening();
    const { id } = await meet(w, who, A, { pn: NUMBER, name: "Ana" });
    await meet(w, who, A, { lid: "77", name: "aninha" });
    await meet(w, who, A, { pn: NUMBER, lid: "77", name: "aninha" });
    expect([types(hook), (await contactsOf(w, who)).data.map((one: { id: string }) => one.id)]).toEqual([
      ["contact.created", "contact.created"],
      [id],
    ]);
  });

  test("where neither has a number become the first of them", async () => {
    const who = await customer(w);
    const [first] = [await meet(w, who, A, { lid: "77" }), await meet(w, who, B, { bsuid: "BR.77", name: "Ana" })];
    expect(await meet(w, who, B, { lid: "77", bsuid: "BR.77" })).toMatchObject({ id: first.id, name: "Ana" });
    expect((await contactsOf(w, who)).meta.total).toBe(1);
  });

  test("have at most twenty tags together", async () => {
    const who = await customer(w);
    const tags = Array.from({ length: 20 }, (_, n) => `tag ${n}`);
    const { id } = made(await addContact(w, who, { tags }), 201);
    const double = await meet(w, who, A, { lid: "77" });
    made(await changeContact(w, who, double.id, { tags: ["one more"] }), 200);
    expect(await meet(w, who, A, { pn: NUMBER, lid: "77" })).toMatchObject({ id, tags });
  });

  /** Two contacts of one person, as they were stored before both spellings of a number were one person's. */
  const doubles = async (who: Awaited<ReturnType<typeof customer>>, numbers: readonly [string, string]) => {
    const ids: string[] = [];
    for (const number of numbers) {
      ids.push(made(await addContact(w, who, { phoneNumber: number, name: number }), 201).id);
      await keyed(who, ids.at(-1) ?? "", `old ${number}`);
    }
    for (const [at, number] of numbers.entries()) await keyed(who, ids[at] ?? "", number);
    return ids as [string, string];
  };
  const keyed = ({ id: tenantId }: { id: string }, id: string, key: string) =>
    w.app.env.db.write(async (tx) => {
      tx.run("UPDATE contacts SET number_key = ?3 WHERE tenant_id = ?1 AND id = ?2", [tenantId, id, key]);
    });

  test.each([
    ["5215512345678", "525512345678"],
    ["525512345678", "5215512345678"],
    ["5491123456789", "541123456789"],
    ["541123456789", "5491123456789"],
  ])("of numbers %s and %s become the older one when the person is met", async (first, second) => {
    const { who, hook } = await listening();
    const [older, newer] = await doubles(who, [first, second]);
    await talk(w, who, { id: `${who.id.slice(0, -1)}1`, channelId: A, contactId: newer });
    await w.settle();
    hook.arrived.length = 0;

    expect(await meet(w, who, A, { pn: second })).toMatchObject({ id: older, phoneNumber: first, name: first });

    expect((await contactsOf(w, who)).data.map(({ id }: { id: string }) => id)).toEqual([older]);
    expect(Object.values(await talks(w, who))).toEqual([[older, "OPEN"]]);
    for (const spelling of [first, second]) expect(await foundBy(w, who, spelling)).toEqual([first]);
    expect(types(hook)).toEqual([]);
  });

  test.each([
    ["5215512345678", "525512345678"],
    ["541123456789", "5491123456789"],
  ])("a contact %s of before is found by %s, and is not made twice", async (number, other) => {
    const { who } = await listening();
    const { id } = made(await addContact(w, who, { phoneNumber: number, name: "Ana" }), 201);
    await keyed(who, id, number);
    expect((await addContact(w, who, { phoneNumber: other })).status).toBe(409);
    for (const spelling of [number, other]) expect(await foundBy(w, who, spelling)).toEqual(["Ana"]);
    expect((await meet(w, who, A, { pn: other })).id).toBe(id);
    expect((await contactsOf(w, who)).meta.total).toBe(1);
  });
});
