import { beforeEach, describe, expect, test } from "bun:test";
import { receivedBy, rowsOf } from "../../../../support/customers/customer.ts";
import {
  BODY,
  knownTemplate,
  postTemplateUpdate,
  TEMPLATE,
  templatesOf,
} from "../../../../support/customers/templates.ts";
import type { Answer } from "../../../../support/networks/scripted-graph.ts";
import { LOST, type ScriptedWorld, scriptedWorld } from "../../../../support/networks/scripted-world.ts";
import { gatewaySays } from "../../../../support/refusals.ts";

// answers that are late, lost or no answers at all: the upstream says what a test scripts, when the test says it
const world = scriptedWorld();
let w: ScriptedWorld["w"];
let c: ScriptedWorld["c"];
let upstream: ScriptedWorld["upstream"];
let inSilence: ScriptedWorld["inSilence"];
let templates: ReturnType<typeof templatesOf>;
beforeEach(() => {
  ({ w, c, upstream, inSilence } = world());
  templates = templatesOf(w, c);
});

const stored = () => rowsOf(w, "SELECT * FROM templates WHERE channel_id = ?1", [c.phone.id]);

describe("an edit", () => {
  let id: string;
  const change = { components: [{ ...BODY, text: "Olá {{1}}, chegou hoje." }] };
  beforeEach(async () => {
    id = await knownTemplate(w, c.phone.id, { ...TEMPLATE, nativeId: "1689" } as never);
  });

  test.each(LOST)("GAP-G13 whose answer is lost leaves the template as it was: %s", async (_, lost) => {
    upstream.script(lost);
    expect(gatewaySays(await templates.edit(id, change))).toBe("502 UPSTREAM_UNAVAILABLE");
    expect((await templates.get(id)).body).toMatchObject({ status: "APPROVED", components: TEMPLATE.components });
  });

  test("G-506 whose review ends before the answer comes leaves what the network reported", async () => {
    const { answer } = await inSilence(() => templates.edit(id, change));
    w.clock.advance(1);
    await postTemplateUpdate(w, c.phone.id, { id: "1689", event: "APPROVED" });
    upstream.release({ status: 200, body: { success: true } });
    expect((await answer).body).toMatchObject({ status: "APPROVED", components: change.components });
  });

  test("of a template that is deleted meanwhile changes nothing any more", async () => {
    const { answer } = await inSilence(() => templates.edit(id, change));
    expect((await templates.remove(id)).status).toBe(204);
    upstream.release({ status: 200, body: { success: true } });
    expect(gatewaySays(await answer)).toBe("404 TEMPLATE_NOT_FOUND");
    expect(await stored()).toEqual([]);
  });
});

describe("a sync", () => {
  test("during which the network reports a template does not undo the report", async () => {
    const id = await knownTemplate(w, c.phone.id, { ...TEMPLATE, nativeId: "1689", status: "PENDING" } as never);
    const { answer } = await inSilence(() => templates.sync());
    w.clock.advance(1);
    await postTemplateUpdate(w, c.phone.id, { id: "1689", event: "APPROVED" });
    upstream.release({ status: 200, body: { data: [{ id: "1689", ...TEMPLATE, status: "PENDING" }] } });
    expect((await answer).body).toEqual({ created: 0, updated: 1, total: 1 });
    expect((await templates.get(id)).body.status).toBe("APPROVED");
    expect(receivedBy(c.hook, "template:status").map(({ status }) => status)).toEqual(["APPROVED"]);
  });

  test("that breaks off keeps what it had taken in, and is repeated from the beginning", async () => {
    const page = (n: number, next?: string) => ({
      status: 200,
      body: {
        data: [{ id: `${n}`, ...TEMPLATE, name: `name_${n}`, status: "APPROVED" }],
        paging: { cursors: { after: `${n}` }, ...(next ? { next } : {}) },
      },
    });
    upstream.script(page(1, "more"), "cut");
    expect(gatewaySays(await templates.sync())).toBe("502 UPSTREAM_UNAVAILABLE");
    expect(await templates.list()).toMatchObject([{ name: "name_1" }]);
    upstream.script(page(1, "more"), page(2));
    expect((await templates.sync()).body).toEqual({ created: 1, updated: 1, total: 2 });
  });

  test("whose pages never end ends all the same", async () => {
    const page = { status: 200, body: { data: [], paging: { cursors: { after: "again" }, next: "more" } } };
    upstream.script(...Array<Answer>(60).fill(page));
    expect((await templates.sync()).body).toEqual({ created: 0, updated: 0, total: 0 });
    expect(upstream.arrived).toHaveLength(60);
  });

  test("of a network that is too slow ends before the client gives up", async () => {
    const page = { status: 200, body: { data: [], paging: { cursors: { after: "again" }, next: "more" } } };
    const { answer } = await inSilence(() => templates.sync());
    w.clock.advance(41_000);
    upstream.release(page);
    expect(gatewaySays(await answer)).toBe("502 UPSTREAM_UNAVAILABLE");
    expect(upstream.arrived).toHaveLength(1);
  });

  test("of a phone that is deleted meanwhile brings nothing", async () => {
    const { answer } = await inSilence(() => templates.sync());
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    upstream.release({ status: 200, body: { data: [{ id: "1689", ...TEMPLATE, status: "APPROVED" }] } });
    expect(gatewaySays(await answer)).toBe("404 PHONE_NOT_FOUND");
    expect(await stored()).toEqual([]);
  });
});
