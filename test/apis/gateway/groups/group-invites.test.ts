import { expect, test } from "bun:test";
import { useGroups } from "../../../support/customers/groups.ts";
import { gatewaySays } from "../../../support/refusals.ts";

const { w, c, g } = useGroups();

const community = (path: string, options: object = {}) =>
  w.gateway(`/v1/communities${path}`, { key: c.key, ...options });

test("an official number joins no group by a link, and has no labels and no communities: nothing is sent", async () => {
  const made = await g.group();
  const before = w.graph.journal.length;
  const phoneId = c.phone.id;
  const answers = [
    await g.call("/join", { body: { phoneId, code: "Zk3vX9pQ2rT" } }),
    await g.call(`/invites/Zk3vX9pQ2rT?phoneId=${phoneId}`),
    await g.call(`/${made.id}/member-label`, { method: "PUT", body: { label: "Padeiro" } }),
    await g.create({ communityId: made.id }),
    await community("", { body: { phoneId, subject: "Bairro" } }),
    await community(`/${made.id}/groups`),
    await community(`/${made.id}/groups/${made.id}`, { method: "PUT" }),
    await community(`/${made.id}`, { method: "DELETE" }),
  ];
  for (const answer of answers) {
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details).toEqual({ reason: "NOT_OFFERED_BY_UPSTREAM" });
  }
  expect((await community(`?phoneId=${phoneId}`)).body).toEqual({ items: [], nextCursor: null });
  expect(w.graph.journal.length).toBe(before);
});
