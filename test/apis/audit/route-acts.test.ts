import { describe, expect, test } from "bun:test";
import { UNRECORDED } from "../../../src/apis/shared/acts.ts";
import { ACTIONS, type Action } from "../../../src/core/tenancy/audit/audit.ts";
import { ISOLATED } from "../../support/tenants/isolation.ts";

// What the routes say of the audit log: actors.test.ts asks for them, and holds what is recorded against it.

/** TABLE: acts that no route of the two APIs records, and who does them. */
const OF_OTHERS: Partial<Record<Action, string>> = {
  "audit.prune": "the server",
  "backup.create": "the server, and the commands of the machine",
  "backup.restore": "the commands of the machine",
  "master-key.rotate": "the commands of the machine",
  "mcp.call": "any request with the header of a tool",
  "person.erased": "the server",
  "operator.change": "the console",
  "operator.change-password": "the console",
  "operator.reset": "the console",
  "passkey.add": "the console",
  "passkey.remove": "the console",
  "recovery-codes.create": "the console",
  "session.end-others": "the console",
  "totp.start": "the console",
  "totp.stop": "the console",
  "user.change": "the console",
};

const nameOf = ({ api, name }: (typeof ISOLATED)[number]): string => `${api} ${name}`;

describe("the acts that a route states", () => {
  test("every route that takes more than GET says the acts that it records, or why it records none", () => {
    const silent = ISOLATED.filter(({ method, acts }) => method !== "GET" && acts.length === 0);
    expect(silent.map(nameOf)).toEqual([]);
  });

  test("a GET records nothing, and needs no reason", () => {
    expect(ISOLATED.filter(({ method, acts }) => method === "GET" && acts.length > 0).map(nameOf)).toEqual([]);
  });

  test("every reason is that of a route", () => {
    const given = new Set<string>(ISOLATED.flatMap(({ acts }) => (typeof acts === "string" ? [acts] : [])));
    expect([...given].toSorted()).toEqual(
      Object.keys(UNRECORDED)
        .map((why) => `none: ${why}`)
        .toSorted(),
    );
  });

  test("a reason is given where the route is of its kind", () => {
    const given = (reason: keyof typeof UNRECORDED) => ISOLATED.filter(({ acts }) => acts === `none: ${reason}`);
    const opened = (...by: string[]) =>
      ISOLATED.filter(({ method, access }) => method !== "GET" && by.includes(access));
    expect(given("a network asks").map(nameOf)).toEqual(opened("signature", "processor").map(nameOf));
    expect(given("a test key tries").map(nameOf)).toEqual(opened("testKey").map(nameOf));
    const isOfPhone = ({ namings }: (typeof ISOLATED)[number]) =>
      namings.some(({ kinds }) => kinds.includes("channel"));
    expect(
      given("own settings")
        .filter((route) => !isOfPhone(route))
        .map(nameOf),
    ).toEqual([]);
  });

  test("every act is that of a route, or of somebody else who does it", () => {
    const stated = new Set(ISOLATED.flatMap(({ acts }) => (typeof acts === "string" ? [] : acts)));
    expect(ACTIONS.filter((action) => !stated.has(action))).toEqual(
      ACTIONS.filter((action) => OF_OTHERS[action] !== undefined),
    );
  });
});
