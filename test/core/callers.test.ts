import { expect, test } from "bun:test";
import type { ServerEnv } from "../../src/composition.ts";
import type { changeAccount } from "../../src/core/billing/accounts.ts";
import type { setBusinessHours } from "../../src/core/messaging/business-hours.ts";
import type { erasePerson } from "../../src/core/people/erase.ts";
import type { removeChannel } from "../../src/core/removal.ts";
import type { Caller, Requester, recordAct, THE_SERVER } from "../../src/core/tenancy/audit/audit.ts";
import type { AskingPerson, ConsolePerson } from "../../src/core/tenancy/sign-in/console-sessions.ts";
import type { addPasskey } from "../../src/core/tenancy/sign-in/own-security.ts";
import type { TenantScope } from "../../src/store/tables/scope.ts";

// What is tested here, the compiler tests: a line that says the opposite of what it finds does not compile.

/** Whether the compiler takes a value of this type as the parameter of that place. */
type Takes<F extends (...given: never[]) => unknown, Place extends number, Given> = Given extends Parameters<F>[Place]
  ? "yes"
  : "no";
/** Whether the compiler takes a call with so many arguments. */
type Ends<F extends (...given: never[]) => unknown, Count extends number> = Count extends Parameters<F>["length"]
  ? "yes"
  : "no";

type TheServer = typeof THE_SERVER;
type Named = { actor: { name: string } };

const recording: [
  Ends<typeof recordAct, 3>,
  Takes<typeof recordAct, 2, ServerEnv>,
  Takes<typeof recordAct, 2, TenantScope>,
  Takes<typeof recordAct, 2, Named>,
  Takes<typeof recordAct, 2, Requester>,
  Takes<typeof recordAct, 2, Caller>,
  Takes<typeof recordAct, 2, TheServer>,
] = ["no", "no", "no", "no", "yes", "yes", "yes"];

/** A function of an account: an id without an actor, an actor without an account and the server are refused. */
type InAccount<F extends (...given: never[]) => unknown> = [
  Takes<F, 1, TenantScope>,
  Takes<F, 1, Requester>,
  Takes<F, 1, TenantScope & TheServer>,
  Takes<F, 1, Caller>,
];
const inAccount: [InAccount<typeof setBusinessHours>, InAccount<typeof removeChannel>] = [
  ["no", "no", "no", "yes"],
  ["no", "no", "no", "yes"],
];

/** A function of the administrator. */
type OfAdministrator<F extends (...given: never[]) => unknown> = [
  Takes<F, 1, string>,
  Takes<F, 1, TheServer>,
  Takes<F, 1, Requester>,
];
const ofAdministrator: [OfAdministrator<typeof changeAccount>, OfAdministrator<typeof erasePerson>] = [
  ["no", "no", "yes"],
  ["no", "no", "yes"],
];

/** A function of a person at the console; only a browser makes a passkey, so that of `passkey.add` has no other test. */
const inConsole: [Takes<typeof addPasskey, 1, ConsolePerson>, Takes<typeof addPasskey, 1, AskingPerson>] = [
  "no",
  "yes",
];

/** No environment says who acts, so no call can forget to. */
const inEnvironment: "actor" extends keyof ServerEnv ? "yes" : "no" = "no";

test("an act without an actor, or with the server's where somebody asks, does not compile", () => {
  expect(recording).toHaveLength(7);
  expect([inAccount, ofAdministrator].flat()).toHaveLength(4);
  expect(inConsole).toHaveLength(2);
  expect(inEnvironment).toBe("no");
});
