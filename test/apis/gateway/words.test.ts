import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { faultResponse } from "../../../src/apis/gateway/errors.ts";
import { AppError, CORE_CODES, invalid } from "../../../src/kernel/errors.ts";
import { type Customer, newCustomer } from "../../support/customers/customer.ts";
import { gatewaySays } from "../../support/refusals.ts";
import { useWorld } from "../../support/use-world.ts";
import type { Answer } from "../../support/world.ts";

const w = useWorld();
let c: Customer;
beforeAll(async () => {
  c = await newCustomer(w);
});

/** What stands in the source as the text of a refusal or of a field, and speaks of channels. */
const TEXTS = /(?:message: |issue\([^)]*?)(["`])((?:(?!\1).)*\bchannels?\b(?:(?!\1).)*)\1/gi;

/** Every text of the product that speaks of channels and may be that of a refusal. */
const texts = (): string[] =>
  ["src/core", "src/contract", "src/kernel", "src/apis"].flatMap((folder) =>
    [...new Glob("**/*.ts").scanSync(folder)].flatMap((file) =>
      Array.from(readFileSync(`${folder}/${file}`, "utf8").matchAll(TEXTS), (match) => match[2] ?? ""),
    ),
  );
const saidIn = async (response: Response): Promise<string[]> => {
  const { error } = (await response.json()) as {
    error: { message: string; details: { fieldErrors?: Record<string, string[]>; formErrors?: string[] } };
  };
  return [error.message, ...Object.values(error.details.fieldErrors ?? {}).flat(), ...(error.details.formErrors ?? [])];
};
const isOfChannels = (text: string): boolean => /\bchannels?\b/i.test(text);

describe("no refusal of the gateway speaks of channels", () => {
  test("whatever the core says, under every code, as its text or that of a field; a network's own words stay", async () => {
    const found = texts();
    expect(found.length).toBeGreaterThan(20);
    for (const text of found) {
      expect(
        (
          await saidIn(
            faultResponse({ kind: "refused", error: invalid({ path: "to", rule: "format", message: text }) }, true),
          )
        ).filter(isOfChannels),
      ).toEqual([]);
      for (const code of CORE_CODES.filter((one) => one !== "UPSTREAM_REFUSED" && one !== "PROCESSOR_REFUSED"))
        expect(
          (await saidIn(faultResponse({ kind: "refused", error: new AppError(code, { message: text }) }, true))).filter(
            isOfChannels,
          ),
        ).toEqual([]);
    }
    const networks = faultResponse(
      { kind: "refused", error: new AppError("UPSTREAM_REFUSED", { message: "(#100) Unknown channel" }) },
      true,
    );
    expect(await saidIn(networks)).toEqual(["(#100) Unknown channel"]);
  });

  test("as its clients receive them", async () => {
    const UNKNOWN = "0198a000-1111-4222-8333-444455556666";
    const session = (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } })).body
      .id;
    const answers: [string, Answer][] = [
      ["There is no such phone.", await w.gateway(`/v1/phones/${UNKNOWN}`, { key: c.key })],
      ["The phone is not connected.", await c.send({ phoneId: session })],
      [
        "A phone of this kind does not send template.",
        await c.send({ phoneId: session, type: "template", content: { name: "hello" } }),
      ],
      ["The template is not approved for this phone.", await c.send({ type: "template", content: { name: "hello" } })],
      ["The quoted message is not known to this phone.", await c.send({ quotedMessageId: UNKNOWN })],
      [
        "There is no such phone that has templates.",
        await w.gateway("/v1/templates/sync", { key: c.key, body: { phoneId: session } }),
      ],
    ];
    for (const [said, answer] of answers)
      expect([gatewaySays(answer).slice(0, 1), answer.body.error.message]).toEqual(["4", said]);
  });
});
