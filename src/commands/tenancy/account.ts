import { type Joined, joinAccount, MOST_ROWS } from "../../core/joining.ts";
import { PLATFORM_PLANS, type PlatformPlan } from "../../core/tenancy/accounts/accounts.ts";
import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import { createAccountWithKey, FIRST_KEY, type FirstAccount } from "../../core/tenancy/people/first-start.ts";
import { makeInstitution } from "../../core/tenancy/people/invitations.ts";
import { ALWAYS_JSON_FLAG, type CommandContext, command, commandGroup, EXIT } from "../command.ts";
import { type AskServer, onDatabase } from "../on-database.ts";
import { withConfig } from "../with-config.ts";

const askForAccount = async (ask: AskServer, name: string): Promise<FirstAccount> => {
  const id = String((await ask("/accounts", { name }))["id"]);
  const { key } = await ask(`/accounts/${id}/api-keys`, FIRST_KEY);
  return { account: { id, name }, key: String(key) };
};

const wrong = (context: CommandContext, usage: string): number => {
  context.err(`recado account: use account ${usage}`);
  return EXIT.usage;
};

/** Prints the account's id and first API key as JSON. The key is not shown again. */
const create = command(
  {
    name: "account create",
    about: "make an account of the gateway and its first API key, which is shown only now",
    flags: { name: { value: "NAME", about: "the account's name" }, json: ALWAYS_JSON_FLAG },
  },
  async (context, { flags: { name } }) => {
    if (!name) return wrong(context, "create --name NAME");
    return withConfig(context, async (config) => {
      const { account, key } = await onDatabase(config, {
        offline: (env) => createAccountWithKey(env, LOCAL, name),
        served: (ask) => askForAccount(ask, name),
      });
      context.out(JSON.stringify({ ...account, key }));
      return EXIT.ok;
    });
  },
);

const isPlan = (text: string | undefined): text is PlatformPlan => PLATFORM_PLANS.some((plan) => plan === text);

/** Prints the institution's id, and the invitation's link if no mail server sends it. */
const institution = command(
  {
    name: "account institution",
    about: "give an account its side of the platform, and invite its owner",
    operands: ["ACCOUNT"],
    flags: {
      plan: { value: "PLAN", about: PLATFORM_PLANS.join(", ") },
      "owner-email": { value: "EMAIL", about: "who is invited as its owner" },
      json: ALWAYS_JSON_FLAG,
    },
  },
  async (context, { flags: { plan, "owner-email": ownerEmail }, operands: [id = ""] }) => {
    if (!isPlan(plan) || !ownerEmail)
      return wrong(context, `institution ACCOUNT --plan ${PLATFORM_PLANS.join("|")} --owner-email EMAIL`);
    return withConfig(context, async (config) => {
      const made = await onDatabase(config, {
        offline: async (env) => {
          const { email, link } = await makeInstitution(env, LOCAL, id, { plan, ownerEmail });
          return { institutionId: id, plan, email, ...(link === undefined ? {} : { link }) };
        },
        served: (ask) => ask(`/accounts/${encodeURIComponent(id)}/institution`, { plan, ownerEmail }),
      });
      context.out(JSON.stringify(made));
      return EXIT.ok;
    });
  },
);

const shown = ({ moved, ...joined }: Joined, dryRun: boolean) => ({
  dryRun,
  ...joined,
  rows: Object.values(moved).reduce((sum, n) => sum + n, 0),
});

/** Prints what has moved, or would. An account of any size is joined while the server is stopped. */
const join = command(
  {
    name: "account join",
    about: "give everything of an account to an institution, for good",
    operands: ["ACCOUNT"],
    flags: {
      into: { value: "INSTITUTION", about: "the institution's id" },
      "dry-run": { about: "say what would move, and do nothing" },
      json: ALWAYS_JSON_FLAG,
    },
  },
  async (context, { flags: { into, "dry-run": isDryRun }, operands: [accountId = ""] }) => {
    if (!into) return wrong(context, "join ACCOUNT --into INSTITUTION [--dry-run]");
    return withConfig(context, async (config) => {
      const joined = await onDatabase<object>(config, {
        offline: async (env) => {
          const mostRows = env.db.isShared ? MOST_ROWS : Number.MAX_SAFE_INTEGER;
          return shown(await joinAccount(env, LOCAL, { accountId, institutionId: into, isDryRun, mostRows }), isDryRun);
        },
        served: (ask) =>
          ask(`/accounts/${encodeURIComponent(accountId)}/join${isDryRun ? "?dryRun=true" : ""}`, {
            institutionId: into,
          }),
      });
      context.out(JSON.stringify(joined));
      return EXIT.ok;
    });
  },
);

/** Accounts of the gateway. Works beside a running server. */
export const accountCommand = commandGroup(
  { name: "account", about: "accounts of the gateway: make one, and bring it and the platform together" },
  { create, institution, join },
);
