import { describe, expect, test } from "bun:test";
import { ACCOUNT_ID, until, valuesOf } from "../fixture.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { BODY, templateBench } from "./fixture.ts";

const bench = templateBench();

describe("a review", () => {
  test("changes the status and says so to the account, with a number as id and a hyphen in the language", async () => {
    const { graph, call, receive, created } = bench();
    const hooks = receive();
    const id = await created();
    const delivery = await graph.reviewTemplate(id, "REJECTED", {
      reason: "SCAM",
      more: { rejection_info: { reason: "r", recommendation: "x" } },
    });
    expect([delivery.isDone, hooks.length]).toEqual([true, 1]);
    expect(hooks[0]?.body).toMatchObject({
      entry: [{ id: ACCOUNT_ID, changes: [{ field: "message_template_status_update" }] }],
    });
    expect(valuesOf(hooks[0])).toEqual([
      {
        event: "REJECTED",
        message_template_id: Number(id),
        message_template_name: "order_update",
        message_template_language: "pt-BR",
        message_template_category: "UTILITY",
        reason: "SCAM",
        rejection_info: { reason: "r", recommendation: "x" },
      },
    ]);
    expect(hooks[0]?.raw).toContain(`"message_template_id":${id},`);
    expect((await call("GET", `/${id}?fields=status,rejected_reason`)).body).toEqual({
      status: "REJECTED",
      rejected_reason: "SCAM",
      id,
    });
    await graph.reviewTemplate(id, "PAUSED");
    await graph.reviewTemplate(id, "FLAGGED");
    expect(valuesOf(hooks[1])).toMatchObject([
      { event: "PAUSED", reason: "NONE", other_info: { title: "FIRST_PAUSE" } },
    ]);
    expect([graph.templates.get(id)?.status, valuesOf(hooks[2])[0]?.["event"]]).toEqual(["PAUSED", "FLAGGED"]);
    await graph.reviewTemplate(id, "REINSTATED");
    expect(graph.templates.get(id)?.status).toBe("APPROVED");
    expect(() => graph.reviewTemplate("1", "APPROVED")).toThrow("there is no template 1");
  });

  test("ends by itself after its wait when set so, and not twice", async () => {
    const { graph, receive, clock, created } = bench();
    const hooks = receive();
    graph.configure({ templateReview: "APPROVED", templateReviewMs: 60_000 });
    const first = await created();
    const second = await created({ name: "second" });
    await graph.reviewTemplate(second, "REJECTED");
    await until(() => clock.pendingTimers === 2);
    clock.advance(60_000);
    await graph.webhooks.settled();
    expect([graph.templates.get(first)?.status, graph.templates.get(second)?.status]).toEqual(["APPROVED", "REJECTED"]);
    expect(hooks.map((hook) => valuesOf(hook)[0]?.["event"])).toEqual(["REJECTED", "APPROVED"]);
  });

  test("and templates are ordered over HTTP too", async () => {
    const { graph } = bench();
    const order = async (name: string, args: Fields) => {
      const answer = await fetch(`${graph.url}/_sim/${name}`, { method: "POST", body: JSON.stringify(args) });
      return [answer.status, fieldsOf(await answer.json())["result"]] as const;
    };
    const [status, id] = await order("templates", {
      businessAccountId: ACCOUNT_ID,
      name: "seed",
      language: "pt_BR",
      components: [BODY],
    });
    expect([status, graph.templates.get(textOf(id))?.status]).toEqual([200, "APPROVED"]);
    expect((await order("templates/review", { id, event: "DISABLED" }))[0]).toBe(200);
    expect((await order("templates/review", { id, event: "LOST" }))[0]).toBe(400);
    expect(graph.templates.get(textOf(id))?.status).toBe("DISABLED");
  });
});
