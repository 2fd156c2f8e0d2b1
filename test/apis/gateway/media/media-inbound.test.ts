import { describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, rowsOf, TO } from "../../../support/customers/customer.ts";
import {
  arrives,
  FILES,
  type FileSeed,
  filesOf,
  mediaCalls,
  messageWithFile,
  onlyMessage,
  receivedOf,
} from "../../../support/customers/media.ts";
import type { Failure } from "../../../support/graph/index.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { untilConnected, untilStatus } from "../../../support/world.ts";

const w = useWorld({ logLevel: "debug", env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCustomer(w));

const fails = (failure: Failure, count = 1, operation = "media.download") =>
  w.graph.failNext(count, failure, { operation, phoneNumberId: c.phone.phoneNumberId });
const mediaRows = () => rowsOf(w, "SELECT id FROM media WHERE tenant_id = ?1", [c.accountId]);
/** Nothing of a file is left: neither row nor bytes. */
const leftOf = async () => [await mediaRows(), filesOf(w).filter((key) => key.startsWith(c.accountId))];
const until = async (holds: () => boolean): Promise<void> => {
  await untilTrue(holds);
};

describe("a message with a file", () => {
  test("G-552 G-553 G-554 G-611 G-627 GAP-G49 is published with its file, and then the file is", async () => {
    await arrives(w, c, { bytes: FILES.png, mimeType: "image/png", caption: "nota" });
    await w.settle();
    expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
    const message = onlyMessage(c);
    const { mediaId, downloadUrl } = message.media;
    expect(message).toMatchObject({
      direction: "inbound",
      type: "image",
      content: { caption: "nota", mimeType: "image/png" },
    });
    expect(downloadUrl).toBe(`${w.app.gatewayUrl}/v1/media/${mediaId}`);
    const expiresAt = new Date(w.clock.now() + 7 * DAY_MS).toISOString();
    const expected = {
      mediaId,
      contentType: "image/png",
      sizeBytes: FILES.png.length,
      filename: null,
      downloadUrl,
      expiresAt,
    };
    expect(message.media).toEqual(expected);
    expect(receivedBy(c.hook, "media:available")).toEqual([{ ...expected, messageId: message.messageId }]);
    const location = await mediaCalls(w, c).link(mediaId);
    expect(await (await fetch(location)).bytes()).toEqual(FILES.png);
    const info = await mediaCalls(w, c).info(mediaId);
    expect(info.body).toMatchObject({ messageId: message.messageId, expiresAt });
  });

  const KINDS: [kind: FileSeed["kind"], bytes: keyof typeof FILES, mimeType: string, kept: string][] = [
    ["image", "jpeg", "image/jpeg", "image/jpeg"],
    ["video", "mp4", "video/mp4", "video/mp4"],
    ["audio", "mp4", "audio/mp4", "audio/mp4"],
    ["audio", "nothing", "audio/ogg; codecs=opus", "audio/ogg; codecs=opus"],
    ["sticker", "png", "image/webp", "image/png"],
    ["document", "pdf", "application/octet-stream", "application/pdf"],
    [
      "document",
      "zip",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
    ["document", "nothing", "text/plain", "text/plain"],
    ["document", "nothing", "text/html", "application/octet-stream"],
    ["document", "nothing", "image/svg+xml", "application/octet-stream"],
    ["document", "nothing", "no type at all", "application/octet-stream"],
    ["document", "exe", "application/pdf", "application/x-msdownload"],
  ];
  test.each(KINDS)(
    "G-552 of kind %s, whose bytes are %s and said to be %p, is kept as %s",
    async (kind, bytes, mimeType, kept) => {
      await arrives(w, c, { kind: kind ?? "document", bytes: FILES[bytes], mimeType });
      await w.settle();
      expect(onlyMessage(c).media).toMatchObject({ contentType: kept, sizeBytes: FILES[bytes].length });
    },
  );

  const NAMES: [declared: string, kept: string | null][] = [
    ["nota fiscal.pdf", "nota fiscal.pdf"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\ana\\nota.pdf", "nota.pdf"],
    ["a\u0000b\r\nc.pdf", "abc.pdf"],
    ["fatura\u202efdp.exe", "faturafdp.exe"],
    ["..", null],
    ["folder/", null],
    ["x".repeat(180), "x".repeat(180)],
  ];
  test.each(NAMES)("G-535 the name %j is kept as %j", async (filename, kept) => {
    await arrives(w, c, { kind: "document", bytes: FILES.pdf, mimeType: "application/pdf", filename });
    await w.settle();
    expect(onlyMessage(c).media.filename).toBe(kept);
  });

  test("G-611 a message that has no file to be had says so; one of another type has no media at all", async () => {
    await arrives(w, c, { mediaId: "1234567890" });
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    const [text, image] = receivedBy(c.hook, "message:received").sort((a, b) => String(b.type).localeCompare(a.type));
    expect(image.media).toEqual({ downloadUrl: null, error: "REFUSED" });
    expect("media" in text).toBe(false);
  });

  test("G-552 the same message in three webhooks is fetched, published and stored once", async () => {
    const { delivery } = await arrives(w, c);
    for (let again = 0; again < 2; again++) await w.graph.webhooks.resend(delivery.id);
    await w.graph.inbound.raw(JSON.parse(delivery.body.replace('"entry"', '"other":1,"entry"')));
    await w.settle();
    expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
    expect(await mediaRows()).toHaveLength(1);
  });

  test("G-552 two accounts with the same number have a file each; what one does with his is nothing to the other", async () => {
    const other = await newCustomer(w);
    const { phoneNumberId, accessToken } = c.phone;
    const credentials = {
      phoneNumberId,
      accessToken,
      businessAccountId: (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.wabaBusinessAccountId,
    };
    const webhook = { url: other.hook.url, secret: "x".repeat(16), events: ["message:received", "media:available"] };
    const { body: phone } = await w.gateway("/v1/phones", {
      key: other.key,
      body: { type: "WABA", label: "The same", credentials, webhook },
    });
    await untilTrue(
      async () => (await w.gateway(`/v1/phones/${phone.id}`, { key: other.key })).body.status === "CONNECTED",
    );
    await arrives(w, c);
    await w.settle();
    const [mine, his] = [onlyMessage(c).media.mediaId, onlyMessage(other).media.mediaId];
    expect(mine).not.toBe(his);
    for (const call of ["open", "info", "ack"] as const) expect((await mediaCalls(w, c)[call](his)).status).toBe(404);
    expect((await mediaCalls(w, c).ack(mine)).status).toBe(204);
    await w.settle();
    expect((await mediaCalls(w, other).open(his)).status).toBe(302);
    expect(filesOf(w).filter((key) => key.includes(his) || key.includes(mine))).toEqual([`${other.accountId}/${his}`]);
  });
});

describe("a file that will never be had", () => {
  const NEVER: [what: string, error: string, seed: FileSeed][] = [
    ["that the network does not know", "REFUSED", { mediaId: "999" }],
    ["whose digest is another in the webhook", "INVALID", { sha256: Buffer.alloc(32, 1).toString("base64") }],
    ["that is larger than its kind may be", "TOO_LARGE", { bytes: new Uint8Array(8 * 1024 * 1024 + 1) }],
    ["that is a program with the name of a picture", "INVALID", { bytes: FILES.exe }],
    [
      "that is a document with the name of a video",
      "INVALID",
      { kind: "video", bytes: FILES.pdf, mimeType: "video/mp4" },
    ],
  ];
  test.each(NEVER)(
    "GAP-G49 G-627 %s (%s): its message is published at once without it, and says why, as an event does and the log",
    async (_, error, seed) => {
      w.logs.length = 0;
      await arrives(w, c, seed);
      await w.settle();
      expect(receivedOf(c)).toEqual([`${seed.kind ?? "image"} without its file`, "media:failed"]);
      const { messageId, media, from } = onlyMessage(c);
      expect(media).toEqual({ downloadUrl: null, error });
      expect(receivedBy(c.hook, "media:failed")).toMatchObject([{ messageId, error, chat: from }]);
      expect(await leftOf()).toEqual([[], []]);
      expect(w.logs.filter((line) => line.includes("could not be had"))).toHaveLength(1);
    },
  );

  test("GAP-G49 whose digest is another than the network itself says, or whose bytes a proxy replaced by a page", async () => {
    const lying = w.graph.addMedia({
      bytes: FILES.png,
      mimeType: "image/png",
      phoneNumberId: c.phone.phoneNumberId,
      sha256: "0".repeat(64),
    });
    fails({ kind: "garbage" });
    await arrives(w, c, {}, { mediaId: lying });
    await w.settle();
    expect(receivedOf(c)).toEqual(["image without its file", "media:failed", "image without its file", "media:failed"]);
    expect(await leftOf()).toEqual([[], []]);
  });

  test("GAP-G49 that the network refuses to give", async () => {
    const before = w.graph.journal.length;
    fails({ kind: "error", code: 100, subcode: 33 }, 1, "media.get");
    await arrives(w, c);
    await w.settle();
    expect(receivedOf(c)).toEqual(["image without its file", "media:failed"]);
    expect(w.graph.journal.slice(before)).toHaveLength(1);
  });
});

describe("a file that may be had later", () => {
  const BROKEN: Failure[] = [
    { kind: "reset" },
    { kind: "half" },
    { kind: "http", status: 503 },
    { kind: "error", code: 131000 },
  ];
  test.each(BROKEN)("GAP-G49 is fetched again after 2 and after 10 seconds: %j", async (failure) => {
    fails(failure, 2);
    await arrives(w, c);
    await w.settle();
    await w.advance(2 * SECOND_MS - 1);
    expect(receivedOf(c)).toEqual([]);
    await w.advance(1);
    await w.advance(10 * SECOND_MS - 1);
    expect(receivedOf(c)).toEqual([]);
    await w.advance(1);
    expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
  });

  test("GAP-G49 is given up after the third time", async () => {
    fails({ kind: "http", status: 500 }, 3, "media.get");
    await arrives(w, c);
    await w.settle();
    await w.advance(2 * SECOND_MS);
    await w.advance(10 * SECOND_MS);
    expect(receivedOf(c)).toEqual(["image without its file", "media:failed"]);
    await w.advance(DAY_MS);
    expect(receivedOf(c)).toEqual(["image without its file", "media:failed"]);
    expect(await leftOf()).toEqual([[], []]);
  });

  describe("when the phone has another token than the one that the network refuses", () => {
    const givesToken = async () => {
      const { id, phoneNumberId } = c.phone;
      const { wabaBusinessAccountId: businessAccountId } = (await w.gateway(`/v1/phones/${id}`, { key: c.key })).body;
      const accessToken = `EAAG${phoneNumberId}new`;
      w.graph.addToken({ token: accessToken, businessAccountIds: [businessAccountId] });
      const credentials = { phoneNumberId, businessAccountId, accessToken };
      const answer = await w.gateway(`/v1/phones/${id}/credentials`, {
        key: c.key,
        method: "PUT",
        body: { credentials },
      });
      expect(answer.status).toBe(200);
      await untilConnected(w, id);
      await w.settle();
    };
    const refusedOnce = async (seed?: FileSeed) => {
      w.graph.expireToken(c.phone.accessToken);
      await arrives(w, c, ...(seed ? [seed] : []));
      await untilStatus(w, c.phone.id, "TOKEN_EXPIRED");
      await w.settle();
      expect(receivedOf(c)).toEqual(["image without its file"]);
    };

    test("GAP-G49 its message is published at once, and the file when it is there", async () => {
      await refusedOnce();
      await w.advance(3 * DAY_MS);
      expect(receivedOf(c)).toEqual(["image without its file"]);
      await givesToken();
      expect(receivedOf(c)).toEqual(["image without its file", "media:available"]);
      const { messageId } = onlyMessage(c);
      const [file] = receivedBy(c.hook, "media:available");
      expect(file).toMatchObject({ messageId, contentType: "image/png", sizeBytes: FILES.png.length });
      expect(await (await fetch(await mediaCalls(w, c).link(file.mediaId))).bytes()).toEqual(FILES.png);
    });

    test("GAP-G49 it fails once if the network has the file no longer", async () => {
      await refusedOnce({ mediaId: "999" });
      await givesToken();
      expect(receivedOf(c)).toEqual(["image without its file", "media:failed"]);
      await w.advance(8 * DAY_MS);
      expect(receivedOf(c)).toEqual(["image without its file", "media:failed"]);
      expect(await leftOf()).toEqual([[], []]);
    });

    test("GAP-G49 it fails after five more refusals of a token that is good for the rest, which then stays connected", async () => {
      const { phoneNumberId } = c.phone;
      const mediaId = w.graph.addMedia({ bytes: FILES.png, mimeType: "image/png", phoneNumberId });
      const asked = () => w.graph.journal.filter(({ path }) => path.endsWith(`/${mediaId}`)).length;
      fails({ kind: "error", code: 190 }, 6, "media.get");
      await arrives(w, c, { mediaId });
      for (let round = 1; round <= 6; round++) {
        await untilTrue(() => asked() === round);
        await untilStatus(w, c.phone.id, "TOKEN_EXPIRED");
        expect(receivedOf(c)).toEqual(["image without its file", ...(round === 6 ? ["media:failed"] : [])]);
        await w.gateway(`/v1/phones/${c.phone.id}/reconnect`, { key: c.key, method: "POST" });
      }
      await untilConnected(w, c.phone.id);
      await w.advance(8 * DAY_MS);
      expect([asked(), receivedOf(c)]).toEqual([6, ["image without its file", "media:failed"]]);
    });

    test("GAP-G49 it is fetched again three times if the network has a fault then", async () => {
      await refusedOnce();
      fails({ kind: "http", status: 503 }, 3);
      await givesToken();
      for (const wait of [10 * SECOND_MS, MINUTE_MS]) await w.advance(wait);
      expect(receivedOf(c)).toEqual(["image without its file"]);
      await w.advance(10 * MINUTE_MS);
      expect(receivedOf(c)).toEqual(["image without its file", "media:available"]);
    });
  });

  test("an address that is no longer good is asked for anew, at once and once", async () => {
    fails({ kind: "http", status: 404 });
    await arrives(w, c);
    await w.settle();
    expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
    c.hook.arrived.length = 0;
    fails({ kind: "http", status: 404 }, 2);
    await arrives(w, c);
    await w.settle();
    expect(receivedOf(c)).toEqual(["image without its file", "media:failed"]);
    expect(receivedBy(c.hook, "media:failed")).toMatchObject([{ error: "GONE" }]);
  });

  test.each(["hang", "stall"] as const)(
    "GAP-G49 a host that lets us wait (%s) is waited for until 30 seconds after the message came",
    async (kind) => {
      const before = w.graph.journal.length;
      fails({ kind });
      await arrives(w, c);
      await until(() => w.graph.journal.slice(before).some(({ broken }) => broken === kind));
      w.clock.advance(30 * SECOND_MS - 1);
      expect(receivedOf(c)).toEqual([]);
      await w.advance(1);
      expect(receivedOf(c)).toEqual(["image without its file", "media:failed"]);
      expect(await leftOf()).toEqual([[], []]);
    },
  );

  test("GAP-G49 a process that ends in the middle of it goes on after its next start, and publishes the message once", async () => {
    const before = w.graph.journal.length;
    fails({ kind: "hang" });
    await arrives(w, c);
    await until(() => w.graph.journal.slice(before).some(({ broken }) => broken === "hang"));
    const restarted = w.restart();
    w.clock.advance(20 * SECOND_MS); // so long a process waits for what it is doing
    await restarted;
    await w.settle();
    expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
    await w.advance(DAY_MS);
    expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
    expect(await mediaRows()).toHaveLength(1);
  });

  test("GAP-G49 a message whose process was down for longer than it may wait still gets its file", async () => {
    fails({ kind: "reset" });
    await arrives(w, c);
    await w.settle();
    const restarted = w.restart();
    w.clock.advance(5 * MINUTE_MS);
    await restarted;
    await w.settle();
    expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
  });

  const hangingNow = (since: number) => w.graph.journal.slice(since).filter(({ broken }) => broken === "hang").length;

  test("a host that hangs delays neither the other messages of its channel nor the files of another", async () => {
    const other = await newCustomer(w);
    const before = w.graph.journal.length;
    fails({ kind: "hang" }, 24);
    await arrives(w, c, ...Array.from({ length: 24 }, () => ({})));
    await until(() => hangingNow(before) === 8);
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await w.graph.inbound.batch([messageWithFile(w, other)]);
    await Promise.all([c.hook.received(1), other.hook.received(2)]);
    expect([receivedOf(c), receivedOf(other)]).toEqual([["text"], ["image with its file", "media:available"]]);
    expect(hangingNow(before)).toBe(8); // no more of one channel at once
    for (const round of [1, 2, 3]) {
      await until(() => hangingNow(before) === 8 * round);
      w.clock.advance(round === 1 ? 30 * SECOND_MS : 10 * SECOND_MS); // what begins late has ten seconds
      await c.hook.received(1 + 16 * round);
    }
    await w.settle();
    const published = receivedOf(c).slice(1);
    expect(published).toHaveLength(48);
    expect(published.filter((one) => one === "image without its file")).toHaveLength(24);
  });

  describe("of a history", () => {
    const inHistory = (ids: readonly string[], atMs: number) => {
      const image = (id: string) => ({
        from: TO,
        id: `wamid.${id}`,
        timestamp: String(atMs / SECOND_MS),
        type: "image",
        image: { id, mime_type: "image/png" },
      });
      return { ...metadata(), messages: ids.map(image) };
    };
    const metadata = () => ({
      messaging_product: "whatsapp",
      metadata: { display_phone_number: c.phone.number, phone_number_id: c.phone.phoneNumberId },
    });
    const post = (value: object) =>
      w.graph.inbound.raw({
        object: "whatsapp_business_account",
        entry: [{ id: "1", changes: [{ field: "history", value }] }],
      });
    const newId = () =>
      w.graph.addMedia({ bytes: FILES.png, mimeType: "image/png", phoneNumberId: c.phone.phoneNumberId });

    test("a file that is older than files live at the network is not asked for", async () => {
      const before = w.graph.journal.length;
      await post(inHistory([newId()], w.clock.now() - 7 * DAY_MS));
      await w.settle();
      expect([receivedOf(c), w.graph.journal.length]).toEqual([["image without its file"], before]);
      await post(inHistory([newId()], w.clock.now() - 7 * DAY_MS + SECOND_MS));
      await w.settle();
      expect(receivedOf(c).slice(1)).toEqual(["image with its file", "media:available"]);
    });

    test("many files delay none of a new message", async () => {
      const before = w.graph.journal.length;
      fails({ kind: "hang" }, 8);
      await post(inHistory(Array.from({ length: 20 }, newId), w.clock.now() - DAY_MS));
      await until(() => hangingNow(before) === 8);
      await arrives(w, c);
      await c.hook.received(2);
      expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
      w.clock.advance(30 * SECOND_MS);
      await w.settle();
      expect(receivedOf(c).filter((published) => published === "image without its file")).toHaveLength(8);
      expect(receivedOf(c).filter((published) => published === "image with its file")).toHaveLength(13);
    });
  });
});
