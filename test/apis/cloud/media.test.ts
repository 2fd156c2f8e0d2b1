import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mediaIdOf } from "../../../src/apis/cloud/ids.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import {
  CLOUD_PHONES,
  type CloudClient,
  type CloudCustomer,
  cloudClientOf,
  errorOf,
  useCloud,
} from "../../support/apis/cloud.ts";
import { rowsOf } from "../../support/customers/customer.ts";
import { joinByCode, joinCodeOf } from "../../support/customers/joining.ts";
import { filesOf, mediaDirOf, storedFile } from "../../support/customers/media.ts";
import { customer as institution, made } from "../../support/tenants/platform.ts";
import { useEach } from "../../support/use-world.ts";

const { w, network, customer } = useCloud();

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");

/** As typebot and evolution send a file: without a name of its own, and with fields that the API does not know. */
const formOf = (bytes: Uint8Array): FormData => {
  const form = new FormData();
  form.append("messaging_product", "whatsapp");
  form.append("typeFile", "image/png");
  form.append("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }));
  form.append("type", "image/png");
  return form;
};
const uploaded = async ({ ask, number }: CloudClient, bytes: Uint8Array = PNG): Promise<string> => {
  const { status, body, text } = await ask(`/${number.numberId}/media`, { raw: formOf(bytes) });
  if (status !== 200) throw new Error(`the file was not taken: ${status} ${text}`);
  return body.id;
};
const bytesAt = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers, redirect: "manual" });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe.each(CLOUD_PHONES)("a file that is uploaded to a phone of the kind %s", (kind) => {
  const c = useEach(() => customer(kind));

  test("rule 9: its id is digits, and its description has an address on our host", async () => {
    const id = await uploaded(c.client);
    expect(id).toMatch(/^\d+$/);
    const { status, body } = await c.client.ask(`/${id}?phone_number_id=${c.client.number.numberId}`);
    expect([status, body]).toEqual([
      200,
      {
        id,
        messaging_product: "whatsapp",
        url: expect.stringContaining(`${w.app.cloudUrl}/files/`),
        mime_type: "image/png",
        sha256: sha256(PNG),
        file_size: PNG.length,
      },
    ]);
  });

  test("its hash was taken when it was uploaded, and its description reads no more than its head", async () => {
    const id = await uploaded(c.client);
    const [file = ""] = filesOf(w).filter((path) => path.startsWith(`${c.accountId}/uploads/`));
    const changed = Buffer.from(PNG).fill(7, 24); // behind what shows its type
    writeFileSync(join(mediaDirOf(w), file), changed);
    expect((await c.client.ask(`/${id}`)).body).toMatchObject({ sha256: sha256(PNG), file_size: PNG.length });
  });

  test("a file of an earlier version, whose hash is not known, is described with it", async () => {
    const id = await uploaded(c.client);
    await w.app.env.db.write(async (tx) => tx.run("UPDATE stored_items SET sha256 = NULL", []));
    expect((await c.client.ask(`/${id}`)).body).toMatchObject({ sha256: sha256(PNG), file_size: PNG.length });
  });

  test("rule 9: its address works with a token and without one", async () => {
    const { url } = (await c.client.ask(`/${await uploaded(c.client)}`)).body;
    for (const headers of [{}, { authorization: `Bearer ${c.client.token}` }, { authorization: "Bearer nobody" }]) {
      const { status, bytes, headers: got } = await bytesAt(url, headers);
      expect([status, bytes.equals(PNG), got.get("content-type")]).toEqual([200, true, "image/png"]);
      expect(got.get("content-disposition")).toBeTruthy();
    }
  });

  test("rule 9: after ten minutes, or altered, the address gives nothing", async () => {
    const { url } = (await c.client.ask(`/${await uploaded(c.client)}`)).body;
    const other = mediaIdOf({ is: "kept", handle: "file-0198a000-1111-4222-8333-444455556666" });
    expect((await bytesAt(url.replace(/\d{40}/, other))).status).toBe(404);
    expect((await bytesAt(`${url}0`)).status).toBe(404);
    w.clock.advance(11 * MINUTE_MS);
    expect((await bytesAt(url)).status).toBe(404);
  });

  test("it is sent by its id", async () => {
    const id = await uploaded(c.client);
    const { status } = await c.client.send({ type: "image", image: { id, caption: "o bolo" } });
    await w.settle();
    expect(status).toBe(200);
    const [message] = await rowsOf<{ status: string }>(w, "SELECT status FROM messages WHERE tenant_id = ?1", [
      c.accountId,
    ]);
    expect(message?.status).toBe("SENT");
  });

  test("it is deleted, and then there is none", async () => {
    const id = await uploaded(c.client);
    expect((await c.client.ask(`/${id}`, { method: "DELETE" })).body).toEqual({ success: true });
    await w.settle();
    expect(errorOf(await c.client.ask(`/${id}`))).toEqual([400, 100, 33]);
    expect(errorOf(await c.client.ask(`/${id}`, { method: "DELETE" }))).toEqual([400, 100, 33]);
  });

  test("rule 2: another account has no part in it", async () => {
    const other = await customer(kind);
    const id = await uploaded(c.client);
    expect(errorOf(await other.client.ask(`/${id}`))).toEqual([400, 100, 33]);
    expect(errorOf(await other.client.ask(`/${id}`, { method: "DELETE" }))).toEqual([400, 100, 33]);
    expect(errorOf(await other.client.send({ type: "image", image: { id } }))).toEqual([400, 131009, undefined]);
    const there = await other.client.ask(`/${c.client.number.numberId}/media`, { raw: formOf(PNG) });
    expect(errorOf(there)).toEqual([400, 100, 33]);
    expect((await c.client.ask(`/${id}`)).status).toBe(200);
  });

  test("rule 2: the token of another phone of the account has no part in it, and what it tries changes nothing", async () => {
    const phone = made(await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "Other" } }), 201);
    const other = await cloudClientOf(w, { ...c, phone: { ...c.phone, id: phone.id } });
    const id = await uploaded(c.client);
    expect(errorOf(await other.ask(`/${id}`))).toEqual([400, 100, 33]);
    expect(errorOf(await other.ask(`/${id}`, { method: "DELETE" }))).toEqual([400, 100, 33]);
    const { url } = (await c.client.ask(`/${id}`)).body;
    const own = (await other.ask(`/${await uploaded(other)}`)).body.url;
    const query = new URL(url).search;
    expect((await bytesAt(own.replace(/\d{40}\?.*$/, id + query))).status).toBe(404);
    expect((await bytesAt(url)).status).toBe(200);
    const before = await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId]);
    expect((await other.send({ type: "image", image: { id } })).status).toBe(400);
    expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId])).toEqual(before);
    expect((await c.client.send({ type: "image", image: { id } })).status).toBe(200);
  });

  test("a file that the account keeps for all of its phones is there for each, as before", async () => {
    const headers = { "x-api-key": c.key };
    const url = `${w.app.url}/gateway/v1/media/files`;
    const kept = await (await fetch(url, { method: "POST", headers, body: formOf(PNG) })).json();
    const id = mediaIdOf({ is: "kept", handle: (kept as { mediaHandle: string }).mediaHandle });
    expect((await c.client.ask(`/${id}`)).body.file_size).toBe(PNG.length);
  });

  test("a form without a file, and an empty file, are refused", async () => {
    const { ask, number } = c.client;
    const empty = new FormData();
    empty.append("messaging_product", "whatsapp");
    expect(errorOf(await ask(`/${number.numberId}/media`, { raw: empty }))).toEqual([400, 131008, undefined]);
    const none = await ask(`/${number.numberId}/media`, { raw: formOf(new Uint8Array()) });
    expect(errorOf(none)).toEqual([400, 131009, undefined]);
  });
});

describe("a file that came with a message", () => {
  const c = useEach((): Promise<CloudCustomer> => customer("official"));

  test("is described and given as an uploaded one, and deleted", async () => {
    const { id: mediaId } = await storedFile(w, c, { filename: "nota.pdf" });
    const id = mediaIdOf({ is: "received", mediaId });
    const { status, body } = await c.client.ask(`/${id}`);
    expect([status, body.id]).toEqual([200, id]);
    const { bytes, headers } = await bytesAt(body.url);
    expect([sha256(bytes), bytes.length]).toEqual([body.sha256, body.file_size]);
    expect(headers.get("content-disposition")).toBeTruthy();
    expect((await c.client.ask(`/${id}`, { method: "DELETE" })).body).toEqual({ success: true });
    expect(errorOf(await c.client.ask(`/${id}`))).toEqual([400, 100, 33]);
  });

  test("rule 2: is of its phone alone", async () => {
    const { id: mediaId } = await storedFile(w, c);
    const other = await customer("session");
    const id = mediaIdOf({ is: "received", mediaId });
    expect(errorOf(await other.client.ask(`/${id}`))).toEqual([400, 100, 33]);
    expect(errorOf(await other.client.ask(`/${id}`, { method: "DELETE" }))).toEqual([400, 100, 33]);
    expect((await c.client.ask(`/${id}`)).status).toBe(200);
  });

  test("its address is good after the account was joined with an institution", async () => {
    const { id: mediaId } = await storedFile(w, c);
    const { body: file } = await c.client.ask(`/${mediaIdOf({ is: "received", mediaId })}`);
    made(await joinByCode(w, await institution(w), await joinCodeOf(w, { account: c })), 200);
    await w.settle();
    expect((await bytesAt(file.url)).status).toBe(200);
  });

  test("is no file to be sent", async () => {
    const { id: mediaId } = await storedFile(w, c);
    const id = mediaIdOf({ is: "received", mediaId });
    expect(errorOf(await c.client.send({ type: "image", image: { id } }))).toEqual([400, 131009, undefined]);
    expect(network.sent.filter(({ channelId }) => channelId === c.phone.id)).toEqual([]);
  });
});
