import { expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, sendsOf } from "../../../support/customers/customer.ts";
import { putTemplate, TEMPLATE_PARTS, type TemplatePart } from "../../../support/customers/template-parts.ts";
import { recording } from "../../../support/files/recordings.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_KEEP_MEDIA: "30d" } });
const c = useEach(() => newCustomer(w));

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
const kept = async (): Promise<string> => {
  const { body } = await w.gateway("/v1/media/files/base64", { key: c.key, body: { base64: PNG.toString("base64") } });
  return body.mediaHandle;
};
const uploads = () =>
  w.graph.journal.filter(({ method, path }) => method === "POST" && path.endsWith(`/${c.phone.phoneNumberId}/media`))
    .length;
const image = (mediaHandle: string) => ({ type: "image", content: { mediaHandle } });
const send = (message: object, to: string) =>
  w.gateway("/v1/messages", { key: c.key, body: { phoneId: c.phone.id, to, ...message } });
const PEOPLE = Array.from({ length: 5 }, (_, at) => `551199999010${at}`);

test("a kept file is uploaded to the network once for all that get it", async () => {
  const handle = await kept();
  for (const to of PEOPLE) await send(image(handle), to);
  await w.settle();
  const ids = new Set(sendsOf(w, c).map(({ image: { id } }) => id));
  expect([sendsOf(w, c).length, ids.size, uploads()]).toEqual([PEOPLE.length, 1, 1]);
});

test("a kept file of a template's header is uploaded to the network once for all that get it", async () => {
  await putTemplate(w, c, TEMPLATE_PARTS["a picture header"] as TemplatePart);
  const headerMedia = { type: "image", mediaHandle: await kept() };
  const content = { ...TEMPLATE_PARTS["a picture header"]?.values, name: "novo", headerMedia };
  for (const to of PEOPLE) await send({ type: "template", content }, to);
  await w.settle();
  expect([sendsOf(w, c).length, uploads()]).toEqual([PEOPLE.length, 1]);
});

test("a kept recording of a telephone goes to the network under the registered name of its type, which it takes", async () => {
  const base64 = Buffer.from(recording("aac.m4a")).toString("base64");
  const { body } = await w.gateway("/v1/media/files/base64", { key: c.key, body: { base64, filename: "voz.m4a" } });
  const id = await c.sent({ type: "audio", content: { mediaHandle: body.mediaHandle } });
  expect((await c.message(id)).status).toBe("SENT");
  const [{ audio }] = sendsOf(w, c);
  expect([body.contentType, w.graph.media.get(audio.id)?.mimeType]).toEqual(["audio/x-m4a", "audio/mp4"]);
});

test("a kept file is uploaded again if the network refuses its handle, and the message is sent", async () => {
  const handle = await kept();
  await c.sent(image(handle));
  w.graph.failNext(
    1,
    { kind: "error", code: 131053 },
    { phoneNumberId: c.phone.phoneNumberId, operation: "message.send" },
  );
  const id = await c.sent(image(handle));
  await w.advance(MINUTE_MS);
  expect(await c.message(id)).toMatchObject({ status: "SENT" });
  expect(uploads()).toBe(2);
});

test("a kept file is not uploaded again because a person cannot be reached", async () => {
  const handle = await kept();
  w.graph.failNext(
    1,
    { kind: "error", code: 131026 },
    { phoneNumberId: c.phone.phoneNumberId, operation: "message.send" },
  );
  for (const to of PEOPLE) await send(image(handle), to);
  await w.settle();
  expect(uploads()).toBe(1);
});

test("a kept file whose upload failed is uploaded again", async () => {
  const handle = await kept();
  w.graph.failNext(
    1,
    { kind: "http", status: 503 },
    { operation: "media.upload", phoneNumberId: c.phone.phoneNumberId },
  );
  const id = await c.sent(image(handle));
  await w.advance(MINUTE_MS);
  expect(await c.message(id)).toMatchObject({ status: "SENT" });
  expect(uploads()).toBe(2);
});

test("a kept file is uploaded again after a week, long before the network deletes it", async () => {
  const handle = await kept();
  await c.sent(image(handle));
  await w.advance(7 * DAY_MS);
  await c.sent(image(handle));
  expect(uploads()).toBe(2);
});
