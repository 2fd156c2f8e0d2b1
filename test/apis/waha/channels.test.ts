import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import sharp from "sharp";
import { WAHA_ENV, wahaClientOf } from "../../support/apis/waha.ts";
import { pairedPhone, type SessionWorld, sessionWorld } from "../../support/session/world.ts";
import { made } from "../../support/tenants/platform.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());
afterEach(() => expect(s.net.stat.unhandled).toEqual([]));

const setup = async () => {
  const { customer, owner } = await pairedPhone(s);
  const client = wahaClientOf(s.w, customer);
  const ask = (path: string, body?: object, method = body === undefined ? "GET" : "POST") =>
    client.ask(`/api/{session}/channels${path}`, { method, ...(body === undefined ? {} : { body }) });
  return { client, owner, ask, ana: s.contact() };
};

test("a channel is made, listed by its role, looked at by its link, and deleted", async () => {
  const { ask, ana, owner } = await setup();
  const mine = made(await ask("", { name: "Padaria Estrela", description: "Novidades" }), 201);
  expect(mine).toMatchObject({ name: "Padaria Estrela", description: "Novidades", role: "OWNER", verified: false });
  expect(mine.id).toEndWith("@newsletter");
  const hers = s.net.newsletter({ name: "De Ana", owner: ana, followers: [owner] });
  const idsOf = async (query: string) => (await ask(query)).body.map(({ id }: { id: string }) => id);
  expect(new Set(await idsOf(""))).toEqual(new Set([mine.id, hers.jid]));
  expect(await idsOf("?role=SUBSCRIBER")).toEqual([hers.jid]);
  expect((await ask("?role=KING")).status).toBe(400);
  const code = hers.newsletter.invite;
  for (const named of [hers.jid, code, encodeURIComponent(`https://whatsapp.com/channel/${code}`)])
    expect((await ask(`/${named}`)).body).toMatchObject({ id: hers.jid, name: "De Ana", role: "SUBSCRIBER" });
  expect((await ask(`/${mine.id}`, undefined, "DELETE")).status).toBe(200);
  expect(s.net.newsletterOf(mine.id)).toBeUndefined();
});

test("a channel is made with its picture; without a picture in the file it is not made", async () => {
  const { ask } = await setup();
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const data = bytes.toString("base64");
  const refused = await ask("", { name: "Novas", picture: { data: "bm9waWN0dXJl" } });
  expect([refused.status, (await ask("")).body]).toEqual([400, []]);
  const mine = made(await ask("", { name: "Novas", picture: { data, mimetype: "image/png" } }), 201);
  expect(s.net.newsletterOf(mine.id)?.newsletter.picture).toBeDefined();
});

test("a channel of somebody else is followed, muted, read, and left", async () => {
  const { ask, ana, owner } = await setup();
  const hers = s.net.newsletter({ name: "De Ana", owner: ana });
  hers.post({ conversation: "Pão quente" });
  const serverId = hers.post({ conversation: "Bolo" });
  hers.react(s.contact(), serverId, "👍");
  for (const act of ["follow", "mute", "unmute"]) expect((await ask(`/${hers.jid}/${act}`, {})).status).toBe(201);
  expect(hers.newsletter.followers.has(owner.account)).toBe(true);
  for (const named of [hers.jid, hers.newsletter.invite]) {
    const posts = (await ask(`/${named}/messages/preview?limit=1&downloadMedia=false`)).body;
    expect(posts).toMatchObject([{ message: { from: hers.jid, body: "Bolo" }, reactions: { "👍": 1 } }]);
  }
  expect((await ask(`/${hers.jid}/unfollow`, {})).status).toBe(201);
  expect(hers.newsletter.followers.has(owner.account)).toBe(false);
});

test("what the network refuses is refused, and nothing changes", async () => {
  const { ask, ana } = await setup();
  const hers = s.net.newsletter({ name: "De Ana", owner: ana });
  expect((await ask(`/${hers.jid}`, undefined, "DELETE")).status).toBe(400);
  expect(s.net.newsletterOf(hers.jid)).toBeDefined();
  expect((await ask("/no-such-code/follow", {})).status).toBe(400);
});
