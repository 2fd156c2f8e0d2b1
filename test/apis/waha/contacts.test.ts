import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { WAHA_ENV, wahaClientOf, wahaSays } from "../../support/apis/waha.ts";
import { FILES } from "../../support/customers/media.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../support/session/world.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());

const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const ana = s.contact();
  await ana.say("oi", { to: owner });
  await untilEvents(s.w, hook, "message:received");
  return { customer, hook, owner, ana, client: wahaClientOf(s.w, customer), chatId: `${ana.pn}@c.us` };
};

describe("contacts", () => {
  test("those of the session are listed; one is found by number or id, and an unknown one has no name", async () => {
    const { client, chatId, ana } = await setup();
    const all = await client.ask("/api/contacts/all?session={session}&limit=10&sortBy=name&sortOrder=desc");
    expect(all.body).toMatchObject([{ id: chatId, number: ana.pn }]);
    for (const contactId of [chatId, ana.pn])
      expect((await client.ask(`/api/contacts?session={session}&contactId=${contactId}`)).body.id).toBe(chatId);
    const unknown = { id: "5511900009999@c.us", name: null, pushname: null };
    expect((await client.ask("/api/{session}/contacts/5511900009999@c.us")).body).toMatchObject(unknown);
    expect((await client.ask("/api/contacts?session=nobody&contactId=1")).status).toBe(404);
  });

  test("a name is given to a known and to a new person, in the account's own contacts", async () => {
    const { client, chatId, customer } = await setup();
    const put = (id: string, body: object) => client.ask(`/api/{session}/contacts/${id}`, { method: "PUT", body });
    expect((await put(chatId, { firstName: "Ana", lastName: "Souza" })).body).toEqual({ success: true });
    expect((await client.ask(`/api/{session}/contacts/${chatId}`)).body.name).toBe("Ana Souza");
    expect((await put("5511912345678@c.us", { firstName: "Bia" })).body).toEqual({ success: true });
    const { items } = (await s.w.gateway("/v1/contacts", customer)).body;
    expect(items.map(({ name }: { name: string }) => name).toSorted()).toEqual(["Ana Souza", "Bia"]);
    expect((await put("98765@lid", { firstName: "Caio" })).status).toBe(404);
    expect((await put(chatId, { lastName: "Sem nome" })).status).toBe(400);
    for (const id of ["0@c.us", "1234567@c.us", `${"9".repeat(16)}@c.us`, "9".repeat(300)])
      expect([id, (await put(id, { firstName: "Ninguém" })).status]).toEqual([id, 400]);
    expect((await s.w.gateway("/v1/contacts", customer)).body.items).toHaveLength(2);
  });

  test("a number is looked up at the network, whichever route asks", async () => {
    const { client, ana, chatId } = await setup();
    for (const path of ["contacts/check-exists", "checkNumberStatus"]) {
      expect((await client.ask(`/api/${path}?session={session}&phone=${ana.pn}`)).body).toEqual({
        numberExists: true,
        chatId,
      });
      expect((await client.ask(`/api/${path}?session={session}&phone=5511900008888`)).body).toEqual({
        numberExists: false,
      });
    }
  });

  test("the about text and the picture are what the network shows", async () => {
    const { client, ana, chatId } = await setup();
    ana.account.about = "Pães e bolos";
    ana.account.picture = { id: "1", bytes: FILES.png };
    const asked = `session={session}&contactId=${chatId}`;
    expect((await client.ask(`/api/contacts/about?${asked}`)).body).toEqual({ about: "Pães e bolos" });
    const { profilePictureURL } = (await client.ask(`/api/contacts/profile-picture?${asked}&refresh=false`)).body;
    expect(profilePictureURL).toStartWith("https://");
  });

  test("a person is blocked and unblocked; nobody else's session is", async () => {
    const { client, owner, ana, chatId, customer } = await setup();
    const body = { contactId: chatId };
    expect((await client.send("/api/contacts/block", body)).status).toBe(201);
    expect([...(owner.account.blocked ?? [])]).toEqual([ana.account]);
    const { customer: stranger } = await pairedPhone(s);
    const theirs = wahaClientOf(s.w, stranger);
    const refused = await theirs.ask("/api/contacts/unblock", { body: { ...body, session: customer.phone.id } });
    expect(refused.status).toBe(404);
    expect([...(owner.account.blocked ?? [])]).toEqual([ana.account]);
    expect((await client.send("/api/contacts/unblock", body)).status).toBe(201);
    expect([...(owner.account.blocked ?? [])]).toEqual([]);
  });
});

test("the hidden id of a person is found by the number, and the number by the hidden id", async () => {
  const { client, ana, chatId } = await setup();
  const lid = ana.lidJid;
  for (const path of [lid, lid.replace("@lid", "")])
    expect((await client.ask(`/api/{session}/lids/${path}`)).body).toEqual({ lid, pn: chatId });
  for (const path of [chatId, ana.pn])
    expect((await client.ask(`/api/{session}/lids/pn/${path}`)).body).toEqual({ lid, pn: chatId });
  expect((await client.ask("/api/{session}/lids?limit=10")).body).toEqual([{ lid, pn: chatId }]);
  expect((await client.ask("/api/{session}/lids?limit=10&offset=1")).body).toEqual([]);
  expect((await client.ask("/api/{session}/lids/count")).body).toEqual({ count: 1 });
  expect((await client.ask("/api/{session}/lids/404404404")).body).toEqual({ lid: "404404404@lid", pn: null });
  expect((await client.ask("/api/{session}/lids/pn/5511900009999@c.us")).body).toEqual({
    lid: null,
    pn: "5511900009999@c.us",
  });
  expect(wahaSays(await client.ask(`/api/{session}/lids/${chatId}`))).toBe("400 lid must end with @lid");
});
