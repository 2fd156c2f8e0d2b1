import { createAccountWithKey, FIRST_KEY, type FirstAccount } from "../core/tenancy/first-start.ts";
import { ALWAYS_JSON_FLAG, command, EXIT } from "./command.ts";
import { type AskServer, onDatabase } from "./on-database.ts";
import { withConfig } from "./with-config.ts";

const askForAccount = async (ask: AskServer, name: string): Promise<FirstAccount> => {
  const id = String((await ask("/accounts", { name }))["id"]);
  const { key } = await ask(`/accounts/${id}/api-keys`, FIRST_KEY);
  return { account: { id, name }, key: String(key) };
};

/**
 * `account create --name N` makes an account and prints its id and first API key as JSON. The key is not shown again.
 * Works beside a running server.
 */
export const accountCommand = command(
  {
    name: "account",
    about: "make an account of the gateway and its first API key, which is shown only now",
    operands: ["create"],
    flags: { name: { value: "NAME", about: "the account's name" }, json: ALWAYS_JSON_FLAG },
  },
  async (context, { flags: { name }, operands: [verb] }) => {
    if (verb !== "create" || !name) {
      context.err("recado account: use account create --name NAME");
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      const { account, key } = await onDatabase(config, {
        offline: (env) => createAccountWithKey(env, name),
        served: (ask) => askForAccount(ask, name),
      });
      context.out(JSON.stringify({ ...account, key }));
      return EXIT.ok;
    });
  },
);
