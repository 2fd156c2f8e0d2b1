import { beforeEach, describe, expect, test } from "bun:test";
import { receivedBy, rowsOf } from "../../../../support/customers/customer.ts";
import { knownTemplate, postTemplateUpdate, TEMPLATE, templatesOf } from "../../../../support/customers/templates.ts";
import { graphError } from "../../../../support/networks/scripted-graph.ts";
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

const taken = (id = "1689", status = "PENDING") => ({ status: 200, body: { id, status } });
const REFUSAL = {
  status: 400,
  body: {
    error: {
      ...graphError(100, "Invalid parameter").error,
      error_subcode: 2388299,
      error_user_title: "Leading or trailing params not allowed",
      error_user_msg: "Variables can't be at the start or end of the template.",
    },
  },
};
const stored = () => rowsOf(w, "SELECT * FROM templates WHERE channel_id = ?1", [c.phone.id]);
describe("while the network has not answered a submission", () => {
  test("G-495 G-489 the template is a DRAFT; with the answer it is PENDING", async () => {
    const { answer } = await inSilence(() => templates.create());
    const [draft] = await templates.list();
    expect(draft).toMatchObject({
      name: TEMPLATE.name,
      status: "DRAFT",
      upstreamTemplateId: null,
      components: TEMPLATE.components,
    });
    upstream.release(taken());
    const { status, body } = await answer;
    expect([status, body.id, body.status, body.upstreamTemplateId]).toEqual([201, draft.id, "PENDING", "1689"]);
    expect((await templates.get(draft.id)).body).toEqual(body);
  });

  test("G-494 G-059 the same one is refused, also for the same phone with other components; another name or language is not", async () => {
    const { answer } = await inSilence(() => templates.create());
    for (const more of [{}, { category: "MARKETING", components: [{ type: "BODY", text: "Outro" }] }]) {
      const repeat = await templates.create(more);
      expect(gatewaySays(repeat)).toBe("409 ALREADY_EXISTS");
      expect(repeat.body.error.details).toEqual({ fields: ["phoneId", "name", "language"] });
    }
    upstream.script(taken("2"), taken("3"));
    expect(
      [await templates.create({ name: "another" }), await templates.create({ language: "en_US" })].map(
        ({ status }) => status,
      ),
    ).toEqual([201, 201]);
    upstream.release(taken());
    expect((await answer).status).toBe(201);
    expect(upstream.arrived).toHaveLength(3);
    expect(await stored()).toHaveLength(3);
  });

  test("G-494 of many at once one is submitted", async () => {
    const attempts = Array.from({ length: 20 }, () => templates.create());
    upstream.script(taken());
    const said = (await Promise.all(attempts)).map(gatewaySays);
    expect(said.toSorted()).toEqual(["201", ...Array<string>(19).fill("409 ALREADY_EXISTS")]);
    expect(upstream.arrived).toHaveLength(1);
  });

  test("G-512 it can neither be changed nor deleted", async () => {
    const { answer } = await inSilence(() => templates.create());
    const [{ id }] = await templates.list();
    expect(gatewaySays(await templates.edit(id, { category: "MARKETING" }))).toBe("409 TEMPLATE_NOT_SUBMITTED");
    expect(gatewaySays(await templates.remove(id))).toBe("409 TEMPLATE_NOT_SUBMITTED");
    upstream.release(taken());
    expect((await answer).body).toMatchObject({ id, status: "PENDING", category: "UTILITY" });
    expect(upstream.arrived).toHaveLength(1);
  });

  test("G-500 a review that ends before the answer comes is not undone by it, and is published once", async () => {
    const { answer } = await inSilence(() => templates.create());
    await postTemplateUpdate(w, c.phone.id, { id: "1689", event: "APPROVED" });
    upstream.release(taken("1689", "PENDING"));
    expect((await answer).body).toMatchObject({ status: "APPROVED", upstreamTemplateId: "1689" });
    expect(receivedBy(c.hook, "template:status").map(({ status }) => status)).toEqual(["APPROVED"]);
  });

  test("what the network reports of an older template of the same name is undone by the answer", async () => {
    const { answer } = await inSilence(() => templates.create());
    await postTemplateUpdate(w, c.phone.id, { id: "1000", event: "DELETED" });
    upstream.release(taken("1689"));
    expect((await answer).body).toMatchObject({ status: "PENDING", upstreamTemplateId: "1689" });
    await postTemplateUpdate(w, c.phone.id, { id: "1689", event: "APPROVED" });
    expect((await templates.list())[0].status).toBe("APPROVED");
  });

  test("a phone that is deleted takes its template along", async () => {
    const { answer } = await inSilence(() => templates.create());
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" })).status).toBe(204);
    upstream.release(taken());
    expect(gatewaySays(await answer)).toBe("404 TEMPLATE_NOT_FOUND");
    expect(await stored()).toEqual([]);
  });
});

describe("GAP-G13 a submission whose answer is lost", () => {
  test.each(LOST)("leaves nothing behind and may be repeated: %s", async (_, lost) => {
    upstream.script(lost);
    expect(gatewaySays(await templates.create())).toBe("502 UPSTREAM_UNAVAILABLE");
    expect(await stored()).toEqual([]);
    upstream.script(taken());
    expect((await templates.create()).status).toBe(201);
    expect(receivedBy(c.hook)).toEqual([]);
  });

  test("after a rate limit it says when", async () => {
    upstream.script({
      status: 400,
      body: graphError(80007, "Rate limit issues"),
      headers: { "x-business-use-case-usage": JSON.stringify({ 1: [{ estimated_time_to_regain_access: 2 }] }) },
    });
    expect((await templates.create()).headers.get("retry-after")).toBe("120");
  });

  test("is brought by the next sync where the network had taken it", async () => {
    upstream.script("cut");
    await templates.create();
    upstream.script({ status: 200, body: { data: [{ id: "1689", ...TEMPLATE, status: "APPROVED" }] } });
    expect((await templates.sync()).body).toEqual({ created: 1, updated: 0, total: 1 });
    expect(await templates.list()).toMatchObject([
      { name: TEMPLATE.name, status: "APPROVED", upstreamTemplateId: "1689" },
    ]);
  });

  test("stays where a sync found it meanwhile", async () => {
    const { answer } = await inSilence(() => templates.create());
    upstream.script({ status: 200, body: { data: [{ id: "1689", ...TEMPLATE, status: "PENDING" }] } });
    expect((await templates.sync()).body).toEqual({ created: 0, updated: 1, total: 1 });
    upstream.release({ status: 502, body: "<html>" });
    expect(gatewaySays(await answer)).toBe("502 UPSTREAM_UNAVAILABLE");
    expect(await templates.list()).toMatchObject([{ status: "PENDING", upstreamTemplateId: "1689" }]);
    expect(receivedBy(c.hook)).toEqual([]);
  });

  test("G-646 a refused token leaves nothing behind, and the phone is TOKEN_EXPIRED", async () => {
    upstream.script({ status: 401, body: graphError(190, "Error validating access token") });
    expect(gatewaySays(await templates.create())).toBe("500 WABA_TOKEN_INVALID");
    expect(await stored()).toEqual([]);
    await w.settle();
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.status).toBe("TOKEN_EXPIRED");
  });
});

describe("a template that was refused before, submitted again", () => {
  let id: string;
  beforeEach(async () => {
    upstream.script(REFUSAL);
    expect(gatewaySays(await templates.create())).toBe("400 UPSTREAM_BAD_REQUEST");
    id = (await templates.list())[0].id;
  });
  const other = { category: "MARKETING", components: [{ type: "BODY", text: "Outro texto" }] };

  test("G-495 G-499 is a DRAFT that shows no reason, and no other call may submit it meanwhile", async () => {
    const { answer } = await inSilence(() => templates.create(other));
    const draft = (await templates.get(id)).body;
    expect([draft.status, "rejectionReason" in draft]).toEqual(["DRAFT", false]);
    expect([
      gatewaySays(await templates.create()),
      gatewaySays(await templates.edit(id, {})),
      gatewaySays(await templates.remove(id)),
    ]).toEqual(["409 ALREADY_EXISTS", "409 TEMPLATE_NOT_SUBMITTED", "409 TEMPLATE_NOT_SUBMITTED"]);
    upstream.release(taken());
    expect((await answer).body).toMatchObject({ id, status: "PENDING", components: other.components });
  });

  test.each(LOST)("GAP-G13 is what it was when the answer is lost, by POST and by PATCH: %s", async (_, lost) => {
    const before = await templates.get(id);
    for (const again of [() => templates.create(other), () => templates.edit(id, other)]) {
      upstream.script(lost);
      expect(gatewaySays(await again())).toBe("502 UPSTREAM_UNAVAILABLE");
      expect((await templates.get(id)).body).toEqual(before.body);
    }
    upstream.script(taken());
    expect((await templates.create(other)).body).toMatchObject({ id, status: "PENDING", ...other });
  });

  test("G-507 of two calls at once one submits it", async () => {
    upstream.script(taken());
    const said = (await Promise.all([templates.edit(id, {}), templates.edit(id, {}), templates.create()])).map(
      gatewaySays,
    );
    expect(said.filter((one) => one === "200" || one === "201")).toHaveLength(1);
    expect(upstream.arrived).toHaveLength(2);
  });

  test("the end of a template that had its name before is not its own", async () => {
    await postTemplateUpdate(w, c.phone.id, { id: "1000", event: "DELETED" });
    expect((await templates.get(id)).body).toMatchObject({ status: "REJECTED", upstreamTemplateId: null });
    await postTemplateUpdate(w, c.phone.id, { id: "1689", event: "APPROVED" }); // its answer had been lost
    expect((await templates.get(id)).body).toMatchObject({ status: "APPROVED", upstreamTemplateId: "1689" });
  });
});

describe("GAP-G13 a process that ends while a submission is not answered", () => {
  test("has, when it starts again, no new template, and the refused one as it was", async () => {
    upstream.script(REFUSAL);
    await templates.create({ name: "refused" });
    const [refused] = await templates.list();
    const first = await inSilence(() => templates.create());
    const second = await inSilence(() =>
      templates.create({ name: "refused", components: [{ type: "BODY", text: "Outro" }] }),
    );
    const lost = Promise.allSettled([first.answer, second.answer]);
    expect((await templates.list()).map(({ status }) => status)).toEqual(["DRAFT", "DRAFT"]);
    const restarted = w.restart();
    await new Promise((resolve) => void setImmediate(resolve));
    w.clock.advance(20_000); // it waits no longer for the two answers
    await restarted;
    upstream.release(taken());
    expect((await lost).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await templates.list()).toEqual([refused]);
    upstream.script(taken("1"), taken("2"));
    expect([(await templates.create()).status, (await templates.create({ name: "refused" })).body.id]).toEqual([
      201,
      refused.id,
    ]);
  });
});

test("GAP-G13 an answer that could not be stored does not block the name for longer than an hour or two", async () => {
  const submittedAt = w.clock.now();
  const draft = { status: "DRAFT", nativeId: null, updatedAt: submittedAt } as const;
  await knownTemplate(w, c.phone.id, { ...draft, name: "new" });
  const again = await knownTemplate(w, c.phone.id, { ...draft, name: "again", rejectionReason: "Too much" });
  await w.advance(50 * 60_000); // past the hourly housekeeping
  expect((await templates.list()).map(({ status }) => status)).toEqual(["DRAFT", "DRAFT"]);
  await w.advance(120 * 60_000);
  expect(await templates.list()).toMatchObject([{ id: again, status: "REJECTED", rejectionReason: "Too much" }]);
});
