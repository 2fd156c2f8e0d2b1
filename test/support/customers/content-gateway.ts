import { afterAll, beforeAll, expect, test } from "bun:test";
import { SAMPLES } from "../../../src/conformance/samples.ts";
import { gatewaySays } from "../refusals.ts";
import { startWorld, type World } from "../world.ts";
import { type Customer, newCustomer, sendsOf, tracesOf } from "./customer.ts";
import { knownTemplate } from "./templates.ts";

/** An accepted content. `what` begins with the ids of its rules. */
export type Taken = [what: string, type: string, content: object];
/** A refused content, and the path of the field, under `content`, that the refusal names. */
export type Refused = [what: string, type: string, content: object, field: string];

export const x = (length: number): string => "x".repeat(length);

/**
 * A gateway with one customer, whose templates are approved, for the tests of a file; and the two tables of such tests.
 */
export const contentGateway = () => {
  let w: World;
  let c: Customer;
  beforeAll(async () => {
    w = await startWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
    c = await newCustomer(w);
    for (const name of ["hello", SAMPLES.template.name]) await knownTemplate(w, c.phone.id, { name });
    await knownTemplate(w, c.phone.id, { name: "hello", language: "en_US" });
  });
  afterAll(() => w.stop());

  /** The body that the network got for a content. */
  const upstreamBody = async (type: string, content: object): Promise<any> => {
    const id = await c.sent({ type, content });
    expect(await c.message(id)).toMatchObject({ status: "SENT", failedReason: null });
    return sendsOf(w, c).find((one) => one.biz_opaque_callback_data === id);
  };

  return {
    world: () => w,
    customer: () => c,
    upstreamBody,
    /** Each of these is accepted, and the network takes it. */
    takes: (cases: readonly Taken[]): void =>
      test.each([...cases])("%s", async (_, type, content) => {
        expect(await upstreamBody(type, content)).toMatchObject({ messaging_product: "whatsapp" });
      }),
    /** Each of these is refused for one field, and nothing happens. */
    refuses: (cases: readonly Refused[]): void =>
      test.each([...cases])("%s", async (_, type, content, field) => {
        const before = await tracesOf(w, c);
        const refused = await c.send({ type, content });
        expect(gatewaySays(refused)).toBe("400 VALIDATION_ERROR");
        expect(refused.body.error.details).toEqual({
          formErrors: [],
          fieldErrors: { content: [expect.stringContaining(`${field} `)] },
        });
        expect(refused.body.error.details.fieldErrors.content[0].split(" ")[0]).toBe(field);
        expect(await tracesOf(w, c)).toEqual(before);
      }),
  };
};
