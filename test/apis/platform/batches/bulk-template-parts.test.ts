import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { sendsOf } from "../../../support/customers/customer.ts";
import { asVariables, putTemplate, TEMPLATE_PARTS } from "../../../support/customers/template-parts.ts";
import { newBatch, numbers, passes, postBatch } from "../../../support/tenants/bulk.ts";
import { connectedChannel, customer, gatewayKeyOf, RECIPIENT } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const who = useEach(async () => {
  await w.advance(MINUTE_MS);
  const one = await customer(w);
  const channel = await connectedChannel(w, one);
  const phone = { id: channel.id, phoneNumberId: channel.phoneNumberId };
  return { ...one, channelId: channel.id, phone, gatewayKey: await gatewayKeyOf(w, one) };
});
const sent = (): any[] => sendsOf(w, who as never).map(({ template }) => template.components);

describe.each(Object.entries(TEMPLATE_PARTS))("G-375 a template with %s", (_, part) => {
  const put = () => putTemplate(w, { key: who.gatewayKey, phone: who.phone }, part);

  test("G-375 goes to each recipient of a batch with the recipient's values in every text", async () => {
    await put();
    const { template, variables } = asVariables(part.values);
    const recipients = numbers(2).map((to) => ({ to, variables }));
    await newBatch(w, who, { text: undefined, template: { name: "novo", ...template }, recipients });
    await passes(w, MINUTE_MS);
    expect(sent()).toEqual([part.upstream, part.upstream]);
  });

  test("G-375 is sent by the platform's own route with its values", async () => {
    await put();
    const body = { to: RECIPIENT, name: "novo", ...part.values };
    const answer = await w.platform(`/v1/channels/${who.channelId}/messages/template`, { key: who.key, body });
    expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
    await w.settle();
    expect(sent()).toEqual([part.upstream]);
  });
});

test("G-375 a batch whose values do not fit its template is refused by its field, and nobody gets anything", async () => {
  const part = TEMPLATE_PARTS["a carousel"] as (typeof TEMPLATE_PARTS)[string];
  await putTemplate(w, { key: who.gatewayKey, phone: who.phone }, part);
  const answer = await postBatch(w, who, { text: undefined, template: { name: "novo", cards: [{}] } });
  expect([answer.status, answer.body.errors.map(({ path }: any) => path)]).toEqual([400, ["template.cards"]]);
  await passes(w, MINUTE_MS);
  expect(sent()).toEqual([]);
});
