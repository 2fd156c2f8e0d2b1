import { expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import { tracesOf } from "../../../../support/customers/customer.ts";
import { AFTER_MINUTES, useTwoPhones } from "../../../../support/customers/failover.ts";
import { putTemplate, TEMPLATE_PARTS } from "../../../../support/customers/template-parts.ts";

const { w, c } = useTwoPhones();

test.each(Object.entries(TEMPLATE_PARTS))(
  "G-375 a template with %s is the fallback of a message, with its values",
  async (_, part) => {
    await putTemplate(w, { key: c.key, phone: c.official }, part);
    await c.lost();
    await c.sentWith({ template: { name: "novo", ...part.values } });
    await w.advance(AFTER_MINUTES * MINUTE_MS);
    await w.settle();
    expect(c.templates().map(({ template }) => template.components)).toEqual([part.upstream]);
  },
);

test("G-375 a fallback whose values do not fit is refused by its field with the message, and nothing happens", async () => {
  const part = TEMPLATE_PARTS["an offer that ends"] as (typeof TEMPLATE_PARTS)[string];
  await putTemplate(w, { key: c.key, phone: c.official }, part);
  const before = await tracesOf(w, c);
  const { expiresAt: _gone, ...values } = part.values;
  const answer = await c.send({ fallback: c.fallback({ template: { name: "novo", ...values } }) });
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("template.expiresAt")]);
  expect([await tracesOf(w, c), c.templates()]).toEqual([before, []]);
});
