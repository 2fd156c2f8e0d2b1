import { beforeEach, describe, expect, test } from "bun:test";
import { useGroups } from "../../../support/customers/groups.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const { w, g } = useGroups();
let made: any;
beforeEach(async () => {
  made = await g.group({ joinApprovalMode: "APPROVAL_REQUIRED" });
});

const number = (n: number) => `55119999${String(10_000 + n)}`;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => number(n));
const people = (method: string, path: string, waIds: unknown) =>
  g.call(`/${made.id}/${path}`, { method, body: { waIds } });
/** The bodies of the calls for the group's participants that the upstream got. */
const callsFor = (method: string): any[] =>
  w.graph.journal
    .filter((one) => one.method === method && one.path.endsWith(`/${made.upstreamGroupId}/participants`))
    .map(({ body }) => body);

describe("participants", () => {
  const ROUTES = [
    ["X-187", "POST", "participants"],
    ["X-188", "DELETE", "participants"],
    ["X-189", "POST", "admins"],
    ["X-190", "DELETE", "admins"],
  ] as const;

  test.each(ROUTES)(
    "%s GAP-X22 G-058 %s %s takes 1 to 50 numbers; others are refused with nothing sent",
    async (_rule, method, path) => {
      const before = w.graph.journal.length;
      for (const waIds of [
        undefined,
        [],
        numbers(51),
        [""],
        ["0511999990001"],
        ["abc"],
        [5511999990001],
        "5511999990001",
        ["5511999990001@s.whatsapp.net"],
      ])
        expect(fieldsOf(await people(method, path, waIds))).toEqual(["waIds"]);
      expect(gatewaySays(await people(method, path, numbers(51)))).toBe("400 VALIDATION_ERROR");
      expect(w.graph.journal.length).toBe(before);
    },
  );

  test("X-188 people are taken out upstream, eight in a call, and are out when the network reports it", async () => {
    const open = await g.group();
    await g.joined(open, number(0), number(1));
    made = open;
    const waIds = [`+${number(0)}`, number(0), ...numbers(50).slice(2)];
    expect((await g.followed(`/${open.id}/participants`, { method: "DELETE", body: { waIds } }, 7)).status).toBe(204);
    const asked = callsFor("DELETE").map(({ participants }) => participants);
    expect(asked.map(({ length }) => length)).toEqual([8, 8, 8, 8, 8, 8, 1]);
    expect(asked.flat()).toEqual([number(0), ...numbers(50).slice(2)].map((one) => ({ user: `+${one}` })));
    expect((await g.call(`/${open.id}`)).body).toMatchObject({
      participants: [{ waId: number(1) }],
      totalParticipantCount: 1,
    });
  });

  test("X-188 50 of them are taken", async () => {
    expect((await people("DELETE", "participants", numbers(50))).status).toBe(204);
  });

  test("X-188 somebody without a number is taken out by their user id", async () => {
    await people("DELETE", "participants", ["US.13491208655302741918"]);
    expect(callsFor("DELETE")).toMatchObject([
      { messaging_product: "whatsapp", participants: [{ user_id: "US.13491208655302741918" }] },
    ]);
  });

  test("X-188 a refusal of the upstream is passed on, and no more of them are asked for", async () => {
    w.graph.failNext(1, { kind: "error", code: 131212 }, { operation: "group.remove" });
    const answer = await people("DELETE", "participants", numbers(20));
    expect([gatewaySays(answer), answer.body.error.details.upstreamError.code]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      131212,
    ]);
    expect(callsFor("DELETE")).toHaveLength(1);
  });

  test("X-187 GAP-X23 taking people in is asked of the upstream, whose refusal is passed on", async () => {
    const answer = await people("POST", "participants", numbers(50));
    expect([gatewaySays(answer), answer.body.error.details.upstreamError.code]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      131215,
    ]);
    expect(callsFor("POST")).toHaveLength(1);
    expect((await g.call(`/${made.id}`)).body).toEqual(made);
  });

  test.each(["POST", "DELETE"])(
    "X-189 X-190 GAP-X23 %s admins is not offered upstream: nothing is sent",
    async (method) => {
      const before = w.graph.journal.length;
      const answer = await people(method, "admins", numbers(50));
      expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
      expect(answer.body.error.details).toEqual({ reason: "NOT_OFFERED_BY_UPSTREAM" });
      expect(w.graph.journal.length).toBe(before);
    },
  );
});

describe("join requests", () => {
  const list = (query = "") => g.call(`/${made.id}/join-requests${query}`);
  const decide = (verb: "approve" | "reject", joinRequestIds: unknown) =>
    g.call(`/${made.id}/join-requests/${verb}`, { body: { joinRequestIds } });
  const ids = async (): Promise<string[]> => (await list()).body.items.map(({ joinRequestId }: any) => joinRequestId);

  test("X-191 GAP-X21 who asks is listed as the network has it, page by page", async () => {
    await g.joined(made, ...numbers(30));
    const first = (await list()).body;
    expect(first.items).toHaveLength(25);
    expect(first.items[0]).toEqual({
      joinRequestId: expect.any(String),
      waId: number(0),
      requestedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const rest = (await list(`?after=${encodeURIComponent(first.nextCursor)}`)).body;
    expect([rest.items.map(({ waId }: any) => waId), rest.nextCursor]).toEqual([numbers(30).slice(25), null]);
    expect((await list("?limit=100")).body.items).toHaveLength(30);
    expect((await list("?limit=1")).body.items).toHaveLength(1);
    for (const limit of ["0", "101", "x"]) expect(fieldsOf(await list(`?limit=${limit}`))).toEqual(["limit"]);
  });

  test("X-191 a cursor that the upstream does not know is refused by it", async () => {
    expect(gatewaySays(await list("?after=nonsense"))).toBe("400 UPSTREAM_BAD_REQUEST");
  });

  test("X-192 GAP-X21 those who are let in are published, and those whom the network did not find", async () => {
    await g.joined(made, number(0), number(1));
    const [first = "", second] = await ids();
    const { status, body } = await decide("approve", [first, first, "nobody"]);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        approved: [first],
        failed: [{ joinRequestId: "nobody", error: "The join request does not exist." }],
      },
    ]);
    expect(await ids()).toEqual([second ?? ""]);
    expect(w.graph.groups.all.get(made.upstreamGroupId)?.participants.map(({ waId }) => waId)).toEqual([number(0)]);
  });

  test("X-193 GAP-X21 those who are kept out are published", async () => {
    await g.joined(made, number(0));
    const asked = await ids();
    expect((await decide("reject", asked)).body).toEqual({ success: true, rejected: asked, failed: [] });
    expect(await ids()).toEqual([]);
    expect(w.graph.groups.all.get(made.upstreamGroupId)?.participants).toEqual([]);
  });

  test.each(["approve", "reject"] as const)(
    "X-192 X-193 G-058 GAP-G10 %s takes 1 to 100; more and none have codes of their own",
    async (verb) => {
      const many = (count: number) => Array.from({ length: count }, (_, n) => `request-${n}`);
      const before = w.graph.journal.length;
      expect(gatewaySays(await decide(verb, []))).toBe("400 EMPTY_BATCH");
      expect(gatewaySays(await decide(verb, many(101)))).toBe("400 BATCH_TOO_LARGE");
      for (const wrong of [undefined, "a", [""], [1], ["x".repeat(257)]])
        expect(fieldsOf(await decide(verb, wrong))).toEqual(["joinRequestIds"]);
      expect(w.graph.journal.length).toBe(before);
      expect((await decide(verb, many(100))).body.failed).toHaveLength(100);
    },
  );

  test("X-192 a refusal of the upstream is passed on", async () => {
    w.graph.failNext(1, { kind: "error", code: 131208 }, { operation: "group.requests.decide" });
    expect(gatewaySays(await decide("approve", ["a"]))).toBe("502 UPSTREAM_UNAVAILABLE");
  });
});
