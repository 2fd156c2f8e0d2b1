import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { CLOUD_ENV, cloudClientOf } from "../../../support/apis/cloud.ts";
import { clientOf, EVOLUTION_ENV } from "../../../support/apis/evolution.ts";
import { contactsOf } from "../../../support/customers/contacts.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { groupUser } from "../../../support/customers/groups.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../support/session/world.ts";
import { customer, gatewayKeyOf, sendText } from "../../../support/tenants/platform.ts";
import type { Contact } from "../../../support/whatsapp/index.ts";

// A person is registered under one spelling of the number, and written to under the other. Whether the network maps the
// other one by itself is known for Brazil alone, so both networks are tried.

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld({ ...EVOLUTION_ENV, ...CLOUD_ENV });
});
afterAll(() => s.stop());

/** How Mexico's and Argentina's numbers are registered, and written. `line`: seven digits that nobody else has. */
const SPELLINGS: [string, (line: string) => [registered: string, written: string]][] = [
  ["52 1, written without the 1", (line) => [`521555${line}`, `52555${line}`]],
  ["52, written with the 1", (line) => [`52555${line}`, `521555${line}`]],
  ["54 9, written without the 9", (line) => [`549114${line}`, `54114${line}`]],
  ["54, written with the 9", (line) => [`54114${line}`, `549114${line}`]],
  ["54 9, written with the 15", (line) => [`549114${line}`, `5411154${line}`]],
  ["55 without the ninth digit, written with it", (line) => [`55118${line}`, `551198${line}`]],
];

let people = 1_000_000;

describe.each(SPELLINGS)("a person registered as %s", (_, spell) => {
  describe.each([
    ["knows this spelling alone", false],
    ["maps the other one", true],
  ])("on a network that %s", (__, isMapped) => {
    let one: Awaited<ReturnType<typeof pairedPhone>>;
    let ana: Contact;
    let registered: string;
    let written: string;
    beforeEach(async () => {
      one = await pairedPhone(s);
      [registered, written] = spell(String(++people));
      ana = s.net.contact({ pn: registered, ...(isMapped ? { aliases: [written] } : {}) });
    });
    const received = (text: string) => ana.until((message) => message.text === text);
    const count = async (table: "contacts" | "conversations") =>
      (await rowsOf(s.w, `SELECT id FROM ${table} WHERE tenant_id = ?1`, [one.customer.accountId])).length;
    const messagesWith = async (contact: string): Promise<any[]> =>
      (await s.w.gateway(`/v1/messages?contact=${contact}`, { key: one.customer.key })).body.items;

    test("is reached, and what they answer lands in the same chat", async () => {
      await one.customer.sent({ to: written, type: "text", content: { text: "olá" } });
      await received("olá");
      await ana.say("oi", { to: one.owner });
      const [answer] = await untilEvents(s.w, one.hook, "message:received");
      expect(answer.from.canonicalKey).toBe(`pn:${registered}`);
      await one.customer.sent({ to: registered, type: "text", content: { text: "tudo bem?" } });
      await received("tudo bem?");
      expect([await count("contacts"), await count("conversations")]).toEqual([1, 1]);
      for (const spelling of [written, registered]) expect(await messagesWith(spelling)).toHaveLength(3);
    });

    test("who wrote first is reached under the other spelling, in the same chat", async () => {
      await ana.say("oi", { to: one.owner });
      await untilEvents(s.w, one.hook, "message:received");
      await one.customer.sent({ to: written, type: "text", content: { text: "olá" } });
      await received("olá");
      expect([await count("contacts"), await count("conversations")]).toEqual([1, 1]);
    });

    test("is reached by the APIs of others, too", async () => {
      const evolution = await clientOf(s.w, one.customer).on("/message/sendText", {
        body: { number: written, text: "de um CRM" },
      });
      expect(evolution.status).toBe(201);
      await received("de um CRM");
      const cloud = await (await cloudClientOf(s.w, one.customer)).send({ to: written });
      expect(cloud.status).toBe(200);
      await received("olá");
      expect([await count("contacts"), await count("conversations")]).toEqual([1, 1]);
    });

    test("joins a group once, whichever spelling names them", async () => {
      const g = groupUser(s.w, one.customer);
      const made = await g.create({ participants: [written, registered] });
      expect(made.body).toMatchObject({ participantOutcomes: [{ outcome: "done" }] });
      expect(made.body.participants.map(({ waId }: { waId: string }) => waId)).toContain(registered);
      const gone = await g.call(`/${made.body.id}/participants`, { method: "DELETE", body: { waIds: [written] } });
      expect(gone.body.participants).toMatchObject([{ outcome: "done" }]);
    });
  });

  test("is one contact of the platform, reached through its API", async () => {
    const who = await customer(s.w);
    const { customer: c, owner } = await pairedPhone(s, {
      account: { id: who.id, key: await gatewayKeyOf(s.w, who) },
    });
    const [registered, written] = spell(String(++people));
    const ana = s.net.contact({ pn: registered });
    expect((await sendText(s.w, who.key, c.phone.id, { to: written, text: "olá" })).status).toBe(202);
    await ana.until(({ text }) => text === "olá");
    await ana.say("oi", { to: owner });
    await untilEvents(s.w, c.hook, "message:received");
    const { data } = await contactsOf(s.w, who);
    expect(data).toMatchObject([{ phoneNumber: written }]);
    for (const spelling of [written, registered])
      expect((await contactsOf(s.w, who, { search: spelling })).data).toEqual(data);
  });
});
