import { describe, expect, test } from "bun:test";
import { newCustomer, tracesOf } from "../../../support/customers/customer.ts";
import { FILES } from "../../../support/customers/media.ts";
import { APP_ID, MIB, mediaUrlSays, uploading } from "../../../support/customers/uploading.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const { host, call, upload, resumable, tempFiles, given, world, customer } = uploading();

describe("a resumable upload", () => {
  const uploads = () => [...world().graph.uploads.values()];

  test("G-547 G-548 G-549 answers with a handle and the session", async () => {
    const { status, body } = await resumable();
    expect([status, Object.keys(body).sort()]).toEqual([201, ["handle", "sessionId"]]);
    const session = uploads().find(({ handle }) => handle === body.handle);
    expect(session).toMatchObject({
      id: body.sessionId,
      appId: APP_ID,
      mimeType: "application/pdf",
      lengthBytes: FILES.pdf.length,
    });
    expect(Buffer.from(session?.bytes ?? []).equals(FILES.pdf)).toBe(true);
  });

  test.each(["mediaUrl", "mimeType", "fileName", "appId"])(
    "G-548 without %s it is refused, and nothing happens",
    async (field) => {
      const [w, c] = [world(), customer()];
      const before = await tracesOf(w, c);
      for (const value of [undefined, "", 5]) expect(fieldsOf(await resumable({ [field]: value }))).toEqual([field]);
      expect(await tracesOf(w, c)).toEqual(before);
    },
  );

  test("G-550 takes files over 5 MB, and one that breaks off goes on where it broke; none over 100 MB", async () => {
    const w = world();
    const before = w.graph.journal.length;
    w.graph.interruptUpload(2 * MIB);
    const { status, body } = await resumable({ mediaUrl: host.url("over5MB"), mimeType: "image/jpeg" });
    expect(status).toBe(201);
    expect(uploads().find(({ handle }) => handle === body.handle)?.bytes.length).toBe(5 * MIB + 1);
    const calls = w.graph.journal.slice(before).map(({ method, body: sent }) => [method, sent]);
    expect(calls).toEqual([
      ["POST", undefined],
      ["POST", `<${5 * MIB + 1} bytes>`],
      ["GET", undefined],
      ["POST", `<${3 * MIB + 1} bytes>`],
    ]);
    expect(mediaUrlSays(await resumable({ mediaUrl: host.url("over100MB") }))).toContain("104857600");
    expect(tempFiles()).toEqual([]);
  });

  test("G-550 its handle serves as the example of a template's header", async () => {
    const [w, c] = [world(), customer()];
    const { body } = await resumable({ mediaUrl: host.url("5MB"), mimeType: "image/jpeg" });
    const components = [
      { type: "HEADER", format: "IMAGE", example: { header_handle: [body.handle] } },
      { type: "BODY", text: "Your invoice is here." },
    ];
    const template = { phoneId: c.phone.id, name: "invoice", language: "pt_BR", category: "UTILITY", components };
    const made = await w.gateway("/v1/templates", { key: c.key, body: template });
    expect(made.status).toBe(201);
    const [ofNetwork] = [...w.graph.templates.values()].filter(({ name }) => name === "invoice");
    expect(ofNetwork?.components).toEqual(components);
  });

  test("is given up after a few tries", async () => {
    const w = world();
    w.graph.failNext(9, { kind: "reset" }, { operation: "upload.write" });
    expect(gatewaySays(await resumable())).toBe("502 UPSTREAM_UNAVAILABLE");
    w.graph.clearFailures();
    w.graph.failNext(1, { kind: "reset" }, { operation: "upload.start" });
    expect(gatewaySays(await resumable())).toBe("502 UPSTREAM_UNAVAILABLE");
    w.graph.clearFailures();
  });

  test("of an app that is not the token's, or of a type that is not taken, is refused in the network's words", async () => {
    for (const body of [{ appId: "1" }, { appId: "../me" }, { mimeType: "text/plain" }])
      expect(gatewaySays(await resumable(body))).toBe("400 UPSTREAM_BAD_REQUEST");
  });
});

describe("deleting an upload", () => {
  const remove = (id: string) => call(`/v1/media/upstream/${id}`, { method: "DELETE" });

  test("G-551 removes it from the network, once", async () => {
    const { body } = await upload();
    const gone = await remove(body.mediaHandle);
    expect([gone.status, gone.text, given()]).toEqual([204, "", []]);
    expect(gatewaySays(await remove(body.mediaHandle))).toBe("400 UPSTREAM_BAD_REQUEST");
  });

  test("G-551 touches nothing that is another number's, or no file", async () => {
    const [w, c] = [world(), customer()];
    const other = await newCustomer(w);
    const { body } = await w.gateway("/v1/media/upload", {
      key: other.key,
      body: { mediaUrl: host.url("a.png"), mimeType: "image/png" },
      headers: { "x-phone-id": other.phone.id },
    });
    for (const id of [body.mediaHandle, "me", c.phone.phoneNumberId])
      expect(gatewaySays(await remove(encodeURIComponent(id)))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(gatewaySays(await remove(encodeURIComponent("1/../2")))).toBe("400 VALIDATION_ERROR");
    expect(w.graph.media.has(body.mediaHandle)).toBe(true);
  });
});
