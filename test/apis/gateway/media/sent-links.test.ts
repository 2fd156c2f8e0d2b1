import { beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { type CloudClient, cloudClientOf } from "../../../support/apis/cloud.ts";
import { type EvolutionClient, evolutionClient, evolutionSays } from "../../../support/apis/evolution.ts";
import { TO } from "../../../support/customers/customer.ts";
import { FILES } from "../../../support/customers/media.ts";
import { type PosterNetwork, posterNetwork } from "../../../support/networks/poster.ts";
import { made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import { untilConnected, type World } from "../../../support/world.ts";

const poster = posterNetwork();
const own = posterNetwork({ fetchesFromHere: true }, "kiosk");
const bare = posterNetwork({ fetchesLinks: false }, "bare");
const w = useWorld({
  plugins: [poster.plugin, own.plugin, bare.plugin],
  env: {
    RECADO_PUBLIC_URL: "https://recado.example",
    RECADO_TEST_CLOCK: "",
    RECADO_CLOUD_URL: "on",
    RECADO_EVOLUTION_URL: "on",
    RECADO_KEEP_MEDIA: "1d",
    RECADO_GATEWAY_RATE: "100000",
  },
});
const local = useWorld({
  plugins: [poster.plugin, own.plugin],
  env: { RECADO_OUTBOUND_ALLOW: "10.1.2.3/32", RECADO_GATEWAY_RATE: "100000" },
});
beforeEach(() => {
  for (const network of [poster, own]) {
    network.sent.length = 0;
    network.outcomes.length = 0;
  }
});

const PNG = Buffer.from(FILES.png);

type Sender = { accountId: string; key: string; phone: { id: string } };
const newSender = async (world: World, type = "POSTER"): Promise<Sender> => {
  const { id: accountId, key } = await world.account();
  const body = { type, label: "Poster", credentials: { token: "a-token" } };
  const { id } = made(await world.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(world, id);
  return { accountId, key, phone: { id } };
};
const keep = async (world: World, { key }: Sender, bytes = PNG): Promise<string> => {
  const body = { base64: bytes.toString("base64"), filename: "bolo.png" };
  return made(await world.gateway("/v1/media/files/base64", { key, body }), 201).mediaHandle;
};
const sendImage = (world: World, { key, phone }: Sender, content: object) =>
  world.gateway("/v1/messages", { key, body: { phoneId: phone.id, to: TO, type: "image", content } });

const linkIn = ({ sent }: PosterNetwork): string => String({ mediaUrl: "", ...sent.at(-1)?.content }.mediaUrl);
/** The address of the link that the network got last, as this machine reaches it. */
const lastLink = (): string => {
  const mediaUrl = linkIn(poster);
  expect(mediaUrl).toStartWith("https://recado.example/gateway/sent-files/");
  return mediaUrl.replace("https://recado.example", w.app.url);
};
const bytesAt = async (link: string): Promise<Buffer> => Buffer.from(await (await fetch(link)).arrayBuffer());
const statusAt = async (link: string): Promise<number> => {
  const answer = await fetch(link);
  await answer.arrayBuffer();
  return answer.status;
};
const sentLink = async (sender: Sender): Promise<string> => {
  const { status } = await sendImage(w, sender, { mediaHandle: await keep(w, sender) });
  expect(status).toBe(202);
  await w.settle();
  return lastLink();
};

const cloudOf = (sender: Sender): Promise<CloudClient> =>
  cloudClientOf({ ...w, app: { ...w.app, cloudUrl: `${w.app.url}/graph` } }, sender);
const evolutionOf = ({ key, phone }: Sender): EvolutionClient =>
  evolutionClient({ ...w, app: { ...w.app, evolutionUrl: `${w.app.url}/evolution` } }, key, phone.id);
const BASE64 = { number: TO, mediatype: "image", media: PNG.toString("base64"), fileName: "bolo.png" };
const uploaded = async ({ ask, number }: CloudClient): Promise<{ id: string }> => {
  const form = new FormData();
  form.set("messaging_product", "whatsapp");
  form.set("file", new File([PNG], "bolo.png", { type: "image/png" }));
  const { body } = await ask(`/${number.numberId}/media`, { raw: form });
  return { id: body.id };
};

describe("a network that takes links alone gets a public link in the place of", () => {
  test.each<[string, (sender: Sender) => Promise<number>]>([
    ["a kept file", async (sender) => (await sendImage(w, sender, { mediaHandle: await keep(w, sender) })).status],
    [
      "base64 of an Evolution client",
      async (sender) => (await evolutionOf(sender).on("/message/sendMedia", { body: BASE64 })).status,
    ],
    [
      "an upload of a Cloud API client",
      async (sender) => {
        const client = await cloudOf(sender);
        return (await client.send({ type: "image", image: await uploaded(client) })).status;
      },
    ],
  ])("%s, and fetches the very bytes twice without a key", async (_, send) => {
    const sender = await newSender(w);
    expect(Math.floor((await send(sender)) / 100)).toBe(2);
    await w.settle();
    expect(poster.sent.length).toBe(1);
    expect(poster.sent[0]?.content).not.toHaveProperty("mediaHandle");
    expect([await bytesAt(lastLink()), await bytesAt(lastLink())]).toEqual([PNG, PNG]);
  });

  test("a kept file, and its phone says so to the console's file picker", async () => {
    const { key, phone } = await newSender(w);
    const { body } = await w.gateway(`/v1/phones/${phone.id}/capabilities`, { key });
    expect(body.takesUploads).toBe(true);
  });
});

describe("the answer to a link", () => {
  test("has the file's type, length and name, and no cache may keep it", async () => {
    const { status, headers } = await fetch(await sentLink(await newSender(w)));
    expect([status, ...["content-type", "content-length", "accept-ranges"].map((name) => headers.get(name))]).toEqual([
      200,
      "image/png",
      String(PNG.length),
      "bytes",
    ]);
    expect(headers.get("content-disposition")).toContain('filename="bolo.png"');
    expect([headers.get("x-content-type-options"), headers.get("cache-control"), headers.get("set-cookie")]).toEqual([
      "nosniff",
      "private, no-store",
      null,
    ]);
  });

  test("HEAD has the head of a GET, without the bytes", async () => {
    const answer = await fetch(await sentLink(await newSender(w)), { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-length"), (await answer.arrayBuffer()).byteLength]).toEqual([
      200,
      String(PNG.length),
      0,
    ]);
  });

  test.each<[range: string, from: number, to: number]>([
    ["bytes=0-9", 0, 9],
    ["bytes=190-", 190, 199],
    ["bytes=-5", 195, 199],
    ["bytes=100-100000", 100, 199],
    ["bytes=-100000", 0, 199],
  ])("a Range %s has that part", async (range, from, to) => {
    const answer = await fetch(await sentLink(await newSender(w)), { headers: { range } });
    expect([answer.status, answer.headers.get("content-range"), answer.headers.get("content-length")]).toEqual([
      206,
      `bytes ${from}-${to}/200`,
      String(to - from + 1),
    ]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG.subarray(from, to + 1));
  });

  test.each([
    ["bytes=200-", 416],
    ["bytes=9-5", 416],
    ["bytes=-0", 416],
    ["bytes=-", 200],
    ["bytes=0-1,5-6", 200],
    ["lines=1-2", 200],
    ["bytes=a-b", 200],
  ])("a Range %s is answered with %i", async (range, status) => {
    const answer = await fetch(await sentLink(await newSender(w)), { headers: { range } });
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([status, status === 200 ? 200 : 0]);
  });
});

describe("a link is refused in neutral words", () => {
  const change = (link: string, part: string, value: string): string => {
    const url = new URL(link);
    url.searchParams.set(part, value);
    return url.href;
  };
  test.each<[string, (link: string) => string]>([
    ["another signature", (link) => change(link, "sig", "0".repeat(64))],
    ["no signature", (link) => link.split("&sig=")[0] ?? ""],
    ["a later end", (link) => change(link, "exp", "99999999999")],
    ["another file", (link) => change(link, "file", "1")],
    ["no query", (link) => link.split("?")[0] ?? ""],
    ["another message", (link) => link.replace(/sent-files\/[^?]+/, "sent-files/00000000-0000-4000-8000-00000000ffff")],
  ])("with %s", async (_, changed) => {
    const answer = await fetch(changed(await sentLink(await newSender(w))));
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect([answer.status, error.code, error.message]).toEqual([404, "MEDIA_NOT_FOUND", "There is no such media."]);
  });

  test("after an hour, while the message is there", async () => {
    const link = await sentLink(await newSender(w));
    await w.advance(HOUR_MS - MINUTE_MS);
    expect(await statusAt(link)).toBe(200);
    await w.advance(MINUTE_MS + SECOND_MS);
    expect(await statusAt(link)).toBe(410);
  });

  test("when the message has failed", async () => {
    poster.outcomes.push({ ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", reason: "not today" });
    expect(await statusAt(await sentLink(await newSender(w)))).toBe(410);
  });

  test("when its channel was deleted", async () => {
    const sender = await newSender(w);
    const link = await sentLink(sender);
    await w.gateway(`/v1/phones/${sender.phone.id}`, { key: sender.key, method: "DELETE" });
    await w.settle();
    expect(await statusAt(link)).toBe(410);
  });
});

test("a file that ends while its message waits is there for as long as the link that the network got", async () => {
  const sender = await newSender(w);
  const mediaHandle = await keep(w, sender);
  await w.advance(DAY_MS - 2 * MINUTE_MS);
  poster.outcomes.push({
    ok: false,
    kind: "retry",
    code: "CHANNEL_UNAVAILABLE",
    reason: "busy",
    retryAfterMs: 300_000,
  });
  expect((await sendImage(w, sender, { mediaHandle })).status).toBe(202);
  await w.settle();
  await w.advance(6 * MINUTE_MS); // over the file's end; the second try takes it
  expect(poster.sent.length).toBe(2);
  await w.advance(50 * MINUTE_MS);
  expect(await bytesAt(lastLink())).toEqual(PNG);
});

test("a handle of another account is refused, and no link is made", async () => {
  const mediaHandle = await keep(w, await newSender(w));
  const { status, body } = await sendImage(w, await newSender(w), { mediaHandle });
  expect([status, body.error.details.fieldErrors.content]).toEqual([
    400,
    ["mediaHandle is not the handle of a file that is kept"],
  ]);
  expect(poster.sent).toEqual([]);
});

describe("where the public address of the server is private", () => {
  test("a kept file is refused with the setting that helps", async () => {
    const sender = await newSender(local);
    const { status, body } = await sendImage(local, sender, { mediaHandle: await keep(local, sender) });
    const [said] = body.error.details.fieldErrors.content;
    expect([status, said]).toEqual([400, expect.stringMatching(/^mediaHandle .*RECADO_PUBLIC_URL/)]);
  });

  test("a network that fetches from here gets the link", async () => {
    const sender = await newSender(local, "KIOSK");
    expect((await sendImage(local, sender, { mediaHandle: await keep(local, sender) })).status).toBe(202);
    await local.settle();
    const mediaUrl = linkIn(own);
    expect(mediaUrl).toStartWith(`${local.app.gatewayUrl}/sent-files/`);
    expect(await bytesAt(mediaUrl)).toEqual(PNG);
  });

  test.each([
    ["KIOSK", "http://10.1.2.3/bolo.png", 202],
    ["KIOSK", "http://10.1.2.4/bolo.png", 400],
    ["POSTER", "http://10.1.2.3/bolo.png", 400],
  ])("G-312 GAP-C09 a %s takes the private link %s as the operator allows it: %i", async (type, mediaUrl, status) => {
    expect((await sendImage(local, await newSender(local, type), { mediaUrl })).status).toBe(status);
    await local.settle();
  });
});

describe("a network that takes no files from here refuses one by the field that the client sent", () => {
  const WHY = "this kind: send a link of the file";
  test("base64 of an Evolution client", async () => {
    const answer = await evolutionOf(await newSender(w, "BARE")).on("/message/sendMedia", { body: BASE64 });
    expect(evolutionSays(answer)).toBe(`400 media is not accepted by an instance of ${WHY}`);
  });

  test("an upload of a Cloud API client", async () => {
    const client = await cloudOf(await newSender(w, "BARE"));
    const { status, body } = await client.send({ type: "image", image: await uploaded(client) });
    expect([status, body.error.error_data.details]).toEqual([400, `id is not accepted by a phone of ${WHY}`]);
  });

  test("no file at all of a Cloud API client", async () => {
    const { body } = await (await cloudOf(await newSender(w, "BARE"))).send({ type: "image", image: {} });
    expect(body.error.error_data.details).not.toMatch(/mediaUrl|mediaHandle/);
  });
});
