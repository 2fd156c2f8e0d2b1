import { beforeAll, expect, test } from "bun:test";
import { askConsole, memberSession } from "../../support/customers/console-person.ts";
import { fill, useWorld } from "../../support/use-world.ts";

const w = useWorld();
const have = {} as { account: string; owner: string };
beforeAll(async () => {
  const { id: account, userId } = await w.institution();
  fill(have, { account, owner: await memberSession(w, userId) });
});

const LINK = "0".repeat(32);

test.each([
  ["a page", "", { accept: "text/html" }],
  ["a page of a link", "/reset-password?token=x", { accept: "text/html" }],
  ["a pairing page", `/pair/${LINK}`, { accept: "text/html" }],
  ["a guessed pairing link", `/pair/${LINK}/state`, {}],
  ["an address of no page", "/nothing", {}],
  ["an own endpoint", "/session", {}],
  ["an own endpoint for a stranger", "/session", { "x-recado-console": null }],
  ["an API through its door", "/gateway/v1/phones", {}],
  ["an API's refusal through its door", "/platform/v1/nothing", {}],
  ["an API's description", "/gateway/openapi.json", {}],
  ["a door for a stranger", "/gateway/v1/phones", { "x-recado-console": null }],
] as [string, string, Record<string, string | null>][])(
  "%s cannot be framed, sniffed or opened as a page of its own",
  async (_, path, headers) => {
    const answer = await askConsole(w, path, { as: have.owner, account: have.account, headers });
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(answer.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin)$/);
    expect(answer.headers.get("cache-control")).toMatch(/^no-(store|cache)$/);
  },
);
