import { describe, expect, test } from "bun:test";
import { dropKept } from "../../../../src/core/media/kept.ts";
import { callerIn, LOCAL } from "../../../../src/core/tenancy/audit/audit.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { sendsOf } from "../../../support/customers/customer.ts";
import { FILES, filesOf } from "../../../support/customers/media.ts";
import { putTemplate, TEMPLATE_PARTS, type TemplatePart } from "../../../support/customers/template-parts.ts";
import { batchOf, newBatch, numbers, passes, postBatch } from "../../../support/tenants/bulk.ts";
import { connectedChannel, customer, gatewayKeyOf } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const PICTURE = TEMPLATE_PARTS["a picture header"] as TemplatePart;
const who = useEach(async () => {
  await w.advance(MINUTE_MS);
  const one = await customer(w);
  const channel = await connectedChannel(w, one);
  const phone = { id: channel.id, phoneNumberId: channel.phoneNumberId };
  const gatewayKey = await gatewayKeyOf(w, one);
  await putTemplate(w, { key: gatewayKey, phone }, PICTURE);
  return { ...one, channelId: channel.id, phone, gatewayKey };
});
const kept = async (): Promise<string> => {
  const body = { base64: Buffer.from(FILES.png).toString("base64") };
  return (await w.gateway("/v1/media/files/base64", { key: who.gatewayKey, body })).body.mediaHandle;
};
const withFile = (mediaHandle: string) => ({
  text: undefined,
  template: { name: "novo", headerMedia: { type: "image", mediaHandle } },
});
const hasFile = (handle: string): boolean => filesOf(w).some((file) => file.includes(handle.slice("file-".length)));
const drop = (handle: string) => dropKept(w.app.env, callerIn(who.id, LOCAL), handle);

describe("G-375 the file of a batch's template", () => {
  test("is sent to every recipient although its handle ends before the batch starts, and goes with the batch", async () => {
    const handle = await kept();
    const startsAt = iso(w.clock.now() + 8 * DAY_MS);
    const id = await newBatch(w, who, { ...withFile(handle), recipients: numbers(2), startsAt });
    await w.advance(8 * DAY_MS);
    expect(hasFile(handle)).toBe(true);
    await passes(w, 5 * MINUTE_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 2, failed: 0 });
    expect(sendsOf(w, who as never)).toHaveLength(2);
    await w.advance(2 * HOUR_MS);
    expect(hasFile(handle)).toBe(false);
  });

  test("is sent to the later recipients although it is deleted after the first", async () => {
    const handle = await kept();
    await newBatch(w, who, { ...withFile(handle), recipients: numbers(3), delay: MINUTE_MS });
    await passes(w, 1000);
    expect(sendsOf(w, who as never)).toHaveLength(1);
    await drop(handle);
    await passes(w, 5 * MINUTE_MS);
    expect(sendsOf(w, who as never)).toHaveLength(3);
  });
});

describe("G-375 a variable in the handle of a batch's file", () => {
  const recipients = numbers(2).map((to) => ({ to, variables: { foto: "file-x" } }));
  const header = { type: "image", mediaHandle: "{{ foto }}" };
  const fallback = (template: object) => ({ channelId: who.channelId, template, afterMinutes: 10 });

  test.each([
    ["template.headerMedia.mediaHandle", () => ({ text: undefined, template: { name: "novo", headerMedia: header } })],
    [
      "template.cards.1.headerMedia.mediaHandle",
      () => ({ text: undefined, template: { name: "novo", cards: [{}, { headerMedia: header }] } }),
    ],
    [
      "fallback.template.headerMedia.mediaHandle",
      () => ({ fallback: fallback({ name: "novo", headerMedia: header }) }),
    ],
  ])("is refused as %s, and nothing happens", async (path, fields) => {
    const answer = await postBatch(w, who, { ...fields(), recipients });
    expect([answer.status, answer.body.errors.map((one: any) => one.path)]).toEqual([400, [path]]);
    await passes(w, MINUTE_MS);
    expect(sendsOf(w, who as never)).toEqual([]);
  });
});
