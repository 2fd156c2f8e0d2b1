import { composeOffline } from "../app.ts";
import { createAccount } from "../core/tenancy/accounts.ts";
import { issueGatewayKey } from "../core/tenancy/keys.ts";
import type { Config } from "../kernel/config.ts";
import { createLog } from "../kernel/log.ts";
import { localTokenOf, servingOf } from "../setup.ts";
import { DatabaseInUse } from "../store/db.ts";
import { command, EXIT, JSON_FLAG } from "./command.ts";
import { withConfig } from "./with-config.ts";

type Made = { id: string; name: string; key: string };
const FIRST_KEY = { name: "first key" };

const makeOffline = async (config: Config, name: string): Promise<Made> => {
  const { env, close } = await composeOffline(config, createLog("error"));
  try {
    const account = await createAccount(env, { name });
    const { key } = await issueGatewayKey(env, account.id, FIRST_KEY);
    return { id: account.id, name, key };
  } finally {
    await close();
  }
};

/** A server runs on the database and alone may write to it: it is asked through its admin API, with the token that the master key gives. */
const makeThroughServer = async (config: Config, name: string, inUse: DatabaseInUse): Promise<Made> => {
  const serving = servingOf(config);
  if (!serving) throw inUse; // by another command, or by a server that is about to start
  const headers = { "content-type": "application/json", "x-admin-token": localTokenOf(config), host: serving.host };
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${serving.gatewayUrl}/v1/admin${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`the server at ${serving.gatewayUrl} did not make it: HTTP ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const account = await post("/accounts", { name });
  const key = await post(`/accounts/${String(account["id"])}/api-keys`, FIRST_KEY);
  return { id: String(account["id"]), name, key: String(key["key"]) };
};

/** `account create --name N` makes an account and prints its id and its first key as JSON; the key is shown only now. Works beside a running server. */
export const accountCommand = command(
  {
    name: "account",
    about: "account create --name N: make an account of the gateway and its first API key",
    operands: ["create"],
    flags: { name: { value: "NAME", about: "the account's name" }, json: JSON_FLAG },
  },
  async (context, { flags: { name }, operands: [verb] }) => {
    if (verb !== "create" || !name) {
      context.err("recado account: use account create --name NAME");
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      const made = await makeOffline(config, name).catch((thrown: unknown) => {
        if (thrown instanceof DatabaseInUse) return makeThroughServer(config, name, thrown);
        throw thrown;
      });
      context.out(JSON.stringify(made));
      return EXIT.ok;
    });
  },
);
