import { beforeAll, describe, expect, test } from "bun:test";
import { mediaIdOf } from "../../../src/apis/cloud/ids.ts";
import { PIECE_BYTES } from "../../../src/kernel/local-files.ts";
import { CLOUD_PHONES, type CloudCustomer, useCloud } from "../../support/apis/cloud.ts";
import { TO } from "../../support/customers/customer.ts";
import { FILES, storedFile } from "../../support/customers/media.ts";
import { made } from "../../support/tenants/platform.ts";
import { turnsDuring } from "../../support/turns.ts";

const { w, customer } = useCloud();

const BYTES = Buffer.alloc(12 * 1024 * 1024, 7);
BYTES.set(FILES.pdf.subarray(0, 9));
/** The least that the event loop must turn while the file is read once. */
const TURNS = BYTES.length / PIECE_BYTES;

/** Reads a file by its address; others are served meanwhile. */
const expectTurns = async (url: string, headers: Record<string, string> = {}): Promise<void> => {
  let isWhole = false;
  const turns = await turnsDuring(async () => {
    isWhole = BYTES.equals(await (await fetch(url, { headers })).bytes());
  });
  expect(isWhole).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(TURNS);
};

describe.each(CLOUD_PHONES)("while a large file of a phone of the kind %s is read, others are served", (kind) => {
  let c: CloudCustomer;
  let handle: string;
  beforeAll(async () => {
    c = await customer(kind);
    const answer = await fetch(`${w.app.url}/gateway/v1/media/files`, {
      method: "POST",
      headers: { "x-api-key": c.key, "content-type": "application/pdf" },
      body: new Uint8Array(BYTES),
    });
    handle = ((await answer.json()) as { mediaHandle: string }).mediaHandle;
  });

  test("as the content of its handle", () =>
    expectTurns(`${w.app.url}/gateway/v1/media/files/${handle}/content`, { "x-api-key": c.key }));

  test("by the signed address of its description", async () =>
    expectTurns((await c.client.ask(`/${mediaIdOf({ is: "kept", handle })}`)).body.url));

  test("as the file of a message that goes out", async () => {
    const body = { phoneId: c.phone.id, to: TO, type: "document", content: { mediaHandle: handle, filename: "a.pdf" } };
    const turns = await turnsDuring(async () => {
      made(await w.gateway("/v1/messages", { key: c.key, body }), 202);
      await w.settle();
    });
    expect(turns).toBeGreaterThanOrEqual(TURNS);
  });
});

test("as a received file by its signed address", async () => {
  const c = await customer("official");
  const { id } = await storedFile(w, c, { kind: "document", bytes: BYTES, mimeType: "application/pdf" });
  await expectTurns((await c.client.ask(`/${mediaIdOf({ is: "received", mediaId: id })}`)).body.url);
});
