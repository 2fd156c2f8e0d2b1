import { afterEach, describe, expect, test } from "bun:test";
import { newCustomer } from "../../../../support/customers/customer.ts";
import { putTemplate, TEMPLATE_PARTS } from "../../../../support/customers/template-parts.ts";
import { businessAccountOf } from "../../../../support/customers/templates.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
const c = useEach(() => newCustomer(w));
const MINUTE = 60_000;

const NO_VALUES = [{ type: "BODY", text: "Olá, chegou." }];
const FLOW = [...NO_VALUES, ...(TEMPLATE_PARTS["a flow"]?.components.slice(1) ?? [])];

/** A template was edited at the network, which has not said so: it refuses the first sends. */
const edited = async () => {
  await putTemplate(w, c, { components: FLOW });
  await w.advance(MINUTE);
  const businessAccountId = await businessAccountOf(w, c.phone.id);
  w.graph.addTemplate({ businessAccountId, name: "novo", language: "pt_BR", components: NO_VALUES });
  const lists = () =>
    w.graph.journal.filter(
      ({ method, path }) => method === "GET" && path.endsWith(`/${businessAccountId}/message_templates`),
    ).length;
  const before = lists();
  return { asked: () => lists() - before };
};
const listsFail = (status: number) =>
  w.graph.fail({ operation: "template.list", failure: { kind: "http", status }, isLasting: true });
afterEach(() => w.graph.clearFailures());

const accepted = () => c.sent({ type: "template", content: { name: "novo" } });
const statesOf = (ids: string[]) => Promise.all(ids.map(async (id) => (await c.message(id)).status));
const taken = (id: string) => [...w.graph.sent.values()].filter(({ bizOpaque }) => bizOpaque === id).length;

describe("EP-P04 sends that the network refused because of their template, while its templates cannot be listed", () => {
  test("EP-P04 wait and say why, with one question a minute, and each is sent once after the list", async () => {
    const { asked } = await edited();
    listsFail(502);
    const ids = [await accepted(), await accepted()];
    expect(await statesOf(ids)).toEqual(["QUEUED", "QUEUED"]);
    for (const id of ids) {
      const { waiting } = (await w.gateway(`/v1/messages/${id}/timeline`, { key: c.key })).body;
      expect(waiting).toMatchObject({ because: "TRYING_AGAIN", nextTryAt: expect.any(String) });
      expect(waiting.reason).toEndWith(
        "(the templates could not be listed: The network could not be asked, or did not answer; try again later.)",
      );
    }
    await w.advance(MINUTE);
    expect([await statesOf(ids), asked()]).toEqual([["QUEUED", "QUEUED"], 2]);
    w.graph.clearFailures();
    await w.advance(MINUTE);
    expect([await statesOf(ids), ids.map(taken), asked()]).toEqual([["SENT", "SENT"], [1, 1], 3]);
  });

  test("EP-P04 wait through a restart, and are refused when the network refuses to list them", async () => {
    const { asked } = await edited();
    listsFail(502);
    const ids = [await accepted(), await accepted()];
    await w.restart();
    await w.settle();
    expect([await statesOf(ids), asked()]).toEqual([["QUEUED", "QUEUED"], 1]);
    w.graph.clearFailures();
    listsFail(400);
    await w.advance(MINUTE);
    expect([await statesOf(ids), ids.map(taken), asked()]).toEqual([["FAILED", "FAILED"], [0, 0], 2]);
    for (const id of ids) expect((await c.message(id)).failedReason).toStartWith("[UPSTREAM_BAD_REQUEST] ");
  });

  test("EP-P04 fail after their 24 hours, and say that no list came", async () => {
    await edited();
    listsFail(502);
    const id = await accepted();
    await w.advance(23 * 60 * MINUTE);
    expect(await statesOf([id])).toEqual(["QUEUED"]);
    await w.advance(60 * MINUTE);
    const { status, failedReason } = await c.message(id);
    expect([status, failedReason]).toEqual(["FAILED", expect.stringContaining("the templates could not be listed")]);
  });
});
