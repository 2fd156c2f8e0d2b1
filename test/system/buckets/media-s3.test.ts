import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { type Customer, newCustomer } from "../../support/customers/customer.ts";
import { arrives, FILES, mediaCalls, receivedOf, storedFile } from "../../support/customers/media.ts";
import { gatewaySays } from "../../support/refusals.ts";
import { startWorld, type World } from "../../support/world.ts";
import { type Swift, startSwift } from "./swift.ts";

let swift: Swift;
let w: World;
let c: Customer;
beforeAll(async () => {
  swift = await startSwift();
  const { bucket, endpoint = "", region = "", accessKeyId, secretAccessKey } = swift.place;
  const place = `s3://${bucket}/a/prefix?endpoint=${encodeURIComponent(endpoint)}&region=${region}`;
  w = await startWorld({
    env: { RECADO_MEDIA: place, RECADO_S3_ACCESS_KEY_ID: accessKeyId, RECADO_S3_SECRET_ACCESS_KEY: secretAccessKey },
  });
}, 60_000);
beforeEach(async () => {
  c = await newCustomer(w);
});
// the next test counts what is in the bucket
afterEach(async () => {
  await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
  await w.settle();
  await swift.holds(0);
});
afterAll(async () => {
  await w.stop();
  await swift.stop();
});

describe("media in a bucket", () => {
  test("G-530 G-537 G-552 G-553 G-627 is kept there, led to by the service's own address, and deleted by an acknowledgement", async () => {
    const media = mediaCalls(w, c);
    const { id } = await storedFile(w, c, {
      kind: "document",
      bytes: FILES.pdf,
      mimeType: "application/pdf",
      filename: "nota (ção).pdf",
    });
    expect(receivedOf(c)).toEqual(["document with its file", "media:available"]);
    const link = await media.link(id);
    expect(link).toStartWith(`${swift.place.endpoint}/${swift.place.bucket}/a/prefix/${c.accountId}/${id}?`);
    const file = await fetch(link);
    expect(await file.bytes()).toEqual(FILES.pdf);
    expect([file.headers.get("content-type"), file.headers.get("content-disposition")]).toEqual([
      "application/pdf",
      expect.stringContaining("UTF-8''nota%20%28%C3%A7%C3%A3o%29.pdf"),
    ]);
    expect((await fetch(link.replace(id, `${id}x`))).status).toBe(403);
    expect((await media.ack(id)).status).toBe(204);
    await w.settle();
    await swift.holds(0);
    expect([gatewaySays(await media.open(id)), (await fetch(link)).status]).toEqual(["410 MEDIA_DELETED", 404]);
  });

  test("G-539 G-152 goes after seven days, and with its phone", async () => {
    await storedFile(w, c);
    await swift.holds(1);
    await w.advance(7 * DAY_MS + HOUR_MS);
    await swift.holds(0);
    expect(receivedOf(c).at(-1)).toBe("media:expired");
    await storedFile(w, c);
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    await swift.holds(0);
  });

  test("GAP-G49 of which only half came leaves nothing there", async () => {
    w.graph.failNext(1, { kind: "half" }, { operation: "media.download", phoneNumberId: c.phone.phoneNumberId });
    await arrives(w, c, { bytes: new Uint8Array(1024 * 1024), mimeType: "image/jpeg" });
    await w.settle();
    await swift.holds(0);
    await w.advance(2 * SECOND_MS);
    expect(receivedOf(c)).toEqual(["image with its file", "media:available"]);
    await swift.holds(1);
  });
});
