import { beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, newCustomer, receivedBy, rowsOf, tracesOf } from "../../../support/customers/customer.ts";
import {
  arrives,
  FILES,
  filesOf,
  mediaCalls,
  mediaDirOf,
  receivedOf,
  storedFile,
} from "../../../support/customers/media.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";

const UNKNOWN = "01a1f8d3-ea00-4000-8000-000000000000";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" }, logLevel: "debug" });
let c: Customer;
let media: ReturnType<typeof mediaCalls>;
beforeEach(async () => {
  c = await newCustomer(w);
  media = mediaCalls(w, c);
});

const says = async (answer: Promise<Parameters<typeof gatewaySays>[0]>) => gatewaySays(await answer);
/** What the signed address says: its status, and the error's code where it is one. */
const linkSays = async (url: string, method = "GET"): Promise<string> => {
  const answer = await fetch(url, { method });
  const text = await answer.text();
  return answer.status < 400 ? String(answer.status) : `${answer.status} ${JSON.parse(text).error.code}`;
};
const ownFiles = () => filesOf(w).filter((key) => key.startsWith(c.accountId));

describe("a file that is stored", () => {
  test("G-535 G-536 its info has the eight fields; it lives for seven days", async () => {
    const { id, messageId } = await storedFile(w, c, {
      kind: "document",
      bytes: FILES.pdf,
      mimeType: "application/pdf",
      filename: "nota.pdf",
    });
    const { status, body } = await media.info(id);
    const expiresAt = new Date(w.clock.now() + 7 * DAY_MS).toISOString();
    expect([status, body]).toEqual([
      200,
      {
        id,
        messageId,
        contentType: "application/pdf",
        sizeBytes: FILES.pdf.length,
        filename: "nota.pdf",
        expiresAt,
        ackedAt: null,
        deletedAt: null,
      },
    ]);
  });

  test("G-050 G-537 G-534 G-538 GAP-G51 an acknowledgement deletes it, and only it, at once; it can be repeated", async () => {
    const [kept, { id }] = [await storedFile(w, c), await storedFile(w, c)];
    const acked = await media.ack(id);
    expect([acked.status, acked.text]).toEqual([204, ""]);
    const ackedAt = new Date(w.clock.now()).toISOString();
    expect(await says(media.open(id))).toBe("410 MEDIA_DELETED");
    await w.settle();
    expect(ownFiles()).toEqual([`${c.accountId}/${kept.id}`]);
    await w.advance(MINUTE_MS);
    expect((await media.ack(id)).status).toBe(204);
    expect((await media.info(id)).body).toMatchObject({ ackedAt, deletedAt: ackedAt });
    expect(await says(media.open(kept.id))).toBe("302");
  });

  test("G-532 G-538 GAP-G51 one that is not known, or another account's, is not found, and nothing happens", async () => {
    const { id } = await storedFile(w, c);
    const stranger = mediaCalls(w, await newCustomer(w));
    const before = await tracesOf(w, c);
    for (const call of ["open", "info", "ack"] as const) {
      expect(await says(media[call](UNKNOWN))).toBe("404 MEDIA_NOT_FOUND");
      expect(await says(media[call]("not-a-uuid"))).toBe("404 MEDIA_NOT_FOUND");
      expect(await says(stranger[call](id))).toBe("404 MEDIA_NOT_FOUND");
    }
    expect(await tracesOf(w, c)).toEqual(before);
    expect(ownFiles()).toHaveLength(1);
    expect(await says(w.gateway(`/v1/media/${id}`))).toBe("401 AUTH_MISSING");
  });

  test("one whose file has not come yet is not found", async () => {
    w.graph.failNext(1, { kind: "reset" }, { operation: "media.download", phoneNumberId: c.phone.phoneNumberId });
    await arrives(w, c);
    await w.settle();
    const [row] = await rowsOf<{ id: string }>(w, "SELECT id FROM media WHERE tenant_id = ?1", [c.accountId]);
    for (const call of ["open", "info", "ack"] as const)
      expect(await says(media[call](row?.id ?? ""))).toBe("404 MEDIA_NOT_FOUND");
    await w.advance(2 * SECOND_MS);
    expect(await says(media.open(row?.id ?? ""))).toBe("302");
  });

  test("G-050 G-533 G-539 GAP-G51 not acknowledged it is deleted after seven days, with one event", async () => {
    const { id, messageId } = await storedFile(w, c);
    const { id: acked } = await storedFile(w, c);
    await media.ack(acked);
    await w.settle();
    c.hook.arrived.length = 0;
    await w.advance(7 * DAY_MS - 1);
    expect([await says(media.open(id)), receivedOf(c), ownFiles().length]).toEqual(["302", [], 1]);
    await w.advance(1);
    expect(await says(media.open(id))).toBe("410 MEDIA_EXPIRED"); // whether or not anybody has been there to delete it
    const expiredAt = new Date(w.clock.now()).toISOString();
    await w.advance(HOUR_MS);
    expect(receivedBy(c.hook)).toEqual([{ mediaId: id, messageId, expiredAt }]);
    expect([await says(media.open(id)), await says(media.open(acked)), ownFiles()]).toEqual([
      "410 MEDIA_EXPIRED",
      "410 MEDIA_DELETED",
      [],
    ]);
    const { body } = await media.info(id);
    expect([body.ackedAt, body.deletedAt >= expiredAt]).toEqual([null, true]);
    expect((await media.ack(id)).status).toBe(204);
    expect((await media.info(id)).body).toEqual(body);
    await w.restart();
    await w.advance(DAY_MS);
    expect(receivedOf(c)).toEqual(["media:expired"]);
  });

  test("G-539 many that expire at the same time are each published once", async () => {
    const seeds = Array.from({ length: 60 }, () => ({
      mediaId: w.graph.addMedia({ bytes: FILES.png, mimeType: "image/png", phoneNumberId: c.phone.phoneNumberId }),
    }));
    await arrives(w, c, ...seeds);
    await w.settle();
    expect(ownFiles()).toHaveLength(60);
    c.hook.arrived.length = 0;
    await w.advance(7 * DAY_MS + HOUR_MS);
    expect(new Set(receivedBy(c.hook, "media:expired").map(({ mediaId }) => mediaId)).size).toBe(60);
    expect([c.hook.arrived.length, ownFiles()]).toEqual([60, []]);
  }, 120_000);

  test("its row is forgotten after ninety days", async () => {
    const { id } = await storedFile(w, c);
    await w.advance(90 * DAY_MS - HOUR_MS);
    expect(await says(media.open(id))).toBe("410 MEDIA_EXPIRED");
    await w.advance(2 * HOUR_MS);
    expect(await says(media.open(id))).toBe("404 MEDIA_NOT_FOUND");
  });

  test("G-152 goes with its phone, at once for everybody, with rows and bytes", async () => {
    const { id } = await storedFile(w, c);
    const link = await media.link(id);
    const deleted = w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    expect((await deleted).status).toBe(204);
    for (const call of ["open", "info", "ack"] as const)
      expect(await says(media[call](id))).toBe("404 MEDIA_NOT_FOUND");
    expect(await linkSays(link)).toBe("404 MEDIA_NOT_FOUND");
    await w.settle();
    expect([ownFiles(), await rowsOf(w, "SELECT id FROM media WHERE tenant_id = ?1", [c.accountId])]).toEqual([[], []]);
  });

  test("G-152 a file that is being fetched while its phone is deleted stays nowhere, and its message is published", async () => {
    w.graph.failNext(1, { kind: "reset" }, { operation: "media.download", phoneNumberId: c.phone.phoneNumberId });
    await arrives(w, c);
    await w.settle();
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" })).status).toBe(204);
    await w.settle();
    await w.advance(2 * SECOND_MS);
    expect([ownFiles(), await rowsOf(w, "SELECT id FROM media WHERE tenant_id = ?1", [c.accountId])]).toEqual([[], []]);
    expect((await c.events()).filter(({ type }) => type === "message:received")).toHaveLength(1);
  });
});

describe("a signed address", () => {
  test("G-530 GAP-G50 leads to the bytes, without a key, under their type and name", async () => {
    const { id } = await storedFile(w, c, {
      kind: "document",
      bytes: FILES.pdf,
      mimeType: "application/pdf",
      filename: 'nota "1" ção.pdf',
    });
    const answer = await media.open(id);
    expect([answer.status, answer.text, answer.headers.get("cache-control")]).toEqual([302, "", "no-store"]);
    const link = answer.headers.get("location") ?? "";
    expect(link).toMatch(new RegExp(`^${w.app.gatewayUrl}/files/${c.accountId}/${id}\\?exp=\\d{10}&sig=[0-9a-f]{64}$`));
    const file = await fetch(link);
    expect(await file.bytes()).toEqual(FILES.pdf);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(FILES.pdf.length),
      "content-disposition": `inline; filename="nota _1_ __o.pdf"; filename*=UTF-8''nota%20%221%22%20%C3%A7%C3%A3o.pdf`,
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    const head = await fetch(link, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(FILES.pdf.length),
      "",
    ]);
  });

  test.each([
    ["image", "png", "image/png", "inline"],
    ["document", "exe", "application/x-msdownload", "attachment"],
    ["document", "nothing", "text/html", "attachment"],
    ["document", "nothing", "text/plain", "attachment"],
  ] as const)(
    "G-530 of a file of kind %s with bytes of %s is served as %s, %s",
    async (kind, bytes, mimeType, disposition) => {
      const { id } = await storedFile(w, c, { kind, bytes: FILES[bytes], mimeType });
      const answer = await fetch(await media.link(id));
      expect(await answer.bytes()).toEqual(FILES[bytes]);
      const { headers } = answer;
      expect([headers.get("content-disposition"), headers.get("x-content-type-options")]).toEqual([
        disposition,
        "nosniff",
      ]);
      expect(headers.get("content-type")).not.toContain("html");
    },
  );

  test("G-531 GAP-G50 is good for ten minutes, and cannot be made to be for longer", async () => {
    const link = await media.link((await storedFile(w, c)).id);
    await w.advance(9 * MINUTE_MS);
    expect(await linkSays(link)).toBe("200");
    await w.advance(2 * MINUTE_MS);
    expect(await linkSays(link)).toBe("403 FORBIDDEN");
    const later = Math.ceil(w.clock.now() / SECOND_MS) + 600;
    expect(await linkSays(link.replace(/exp=\d+/, `exp=${later}`))).toBe("403 FORBIDDEN");
  });

  test("GAP-G50 is refused when anything of it is altered", async () => {
    const [one, two] = [await storedFile(w, c), await storedFile(w, c)];
    const other = await newCustomer(w);
    const { id: foreign } = await storedFile(w, other);
    const link = await media.link(one.id);
    const altered = [
      link.replace(one.id, two.id),
      link.replace(`${c.accountId}/${one.id}`, `${other.accountId}/${foreign}`),
      link.replace(c.accountId, other.accountId),
      link.replace(/exp=\d+/, "exp=9999999999"),
      link.replace(/exp=/, "exp=0"),
      link.replace(/exp=\d+/, "exp=NaN"),
      link.replace(/exp=\d+&/, ""),
      link.replace(/&sig=.*/, ""),
      link.replace(/sig=(.)/, (_, first: string) => `sig=${first === "0" ? "1" : "0"}`),
      link.replace(/sig=.*/, (sig) => sig.toUpperCase()),
      `${link}&sig=0`,
      link.replace(one.id, one.id.toUpperCase()),
      link.replace(`/files/`, `/files/x/../`).replace(one.id, two.id),
    ];
    for (const url of altered) expect([url, await linkSays(url)]).toEqual([url, "403 FORBIDDEN"]);
    expect(await linkSays(link)).toBe("200");
    expect(await linkSays(link, "DELETE")).toBe("405 METHOD_NOT_ALLOWED");
    expect(await linkSays(`${w.app.gatewayUrl}/files/${c.accountId}?exp=1&sig=1`)).toBe("404 NOT_FOUND");
  });

  test("says when its file has been deleted meanwhile", async () => {
    const { id } = await storedFile(w, c);
    const link = await media.link(id);
    await media.ack(id);
    expect(await linkSays(link)).toBe("410 MEDIA_DELETED");
  });

  test("says so, and logs it for the operator, when the file is missing in the store", async () => {
    const { id } = await storedFile(w, c);
    rmSync(join(mediaDirOf(w), c.accountId, id));
    w.logs.length = 0;
    expect(await linkSays(await media.link(id))).toBe("404 MEDIA_NOT_FOUND");
    expect(w.logs.filter((line) => line.includes("is not in the store") && line.includes(id))).toHaveLength(1);
  });
});

describe("a store that fails", () => {
  test("at deleting is tried again until it works", async () => {
    const { id } = await storedFile(w, c);
    const path = join(mediaDirOf(w), c.accountId, id);
    rmSync(path);
    mkdirSync(path); // what is there now cannot be removed as a file
    expect((await media.ack(id)).status).toBe(204);
    await w.settle();
    const waiting = () => rowsOf(w, "SELECT kind FROM jobs WHERE kind = 'media.erase' AND instr(payload, ?1)", [id]);
    for (let day = 0; day < 3; day++) {
      expect(await waiting()).toHaveLength(1);
      await w.advance(DAY_MS);
    }
    rmdirSync(path);
    await w.advance(HOUR_MS);
    expect([await waiting(), ownFiles()]).toEqual([[], []]);
  });

  test("GAP-G49 at keeping is tried again as long as the message may wait", async () => {
    const folder = join(mediaDirOf(w), c.accountId);
    await Bun.write(folder, "a file where the folder should be");
    await arrives(w, c);
    await w.settle();
    expect(receivedOf(c)).toEqual([]);
    rmSync(folder);
    await w.advance(2 * SECOND_MS);
    expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
  });

  test("GAP-G49 for longer than the message may wait costs the file, not the message", async () => {
    const folder = join(mediaDirOf(w), c.accountId);
    await Bun.write(folder, "a file where the folder should be");
    await arrives(w, c);
    for (const seconds of [0, 2, 10]) await w.advance(seconds * SECOND_MS);
    expect(receivedOf(c)).toEqual(["image without its file", "media:failed"]);
    rmSync(folder);
  });
});
