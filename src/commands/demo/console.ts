import type { App } from "../../app.ts";
import type { HandOver } from "../../console/server/hand-over.ts";
import { setUpOperator } from "../../core/tenancy/people/first-start.ts";
import { gatewaySecret } from "../../kernel/ids.ts";
import { systemRandom } from "../../kernel/random.ts";

/** The operator of the demo. The password is made for each run, and printed. */
export const OPERATOR = { name: "Demo", email: "demo@example.com" };

const VISITOR = { address: "127.0.0.1", userAgent: null, door: "demo" };

/**
 * A link that signs in once, for a server that has yet to start. `setCookie`: sets the cookie of the session that the
 * link opens.
 */
export const oneClick = (): { handOver: HandOver; setCookie(cookie: string): void } => {
  let cookie: string | undefined;
  const take = (): string | undefined => {
    const taken = cookie;
    cookie = undefined;
    return taken;
  };
  return {
    handOver: { token: gatewaySecret(systemRandom()), take },
    setCookie: (made) => void (cookie = made),
  };
};

/**
 * Makes the demo's operator and its first account, with the set-up link of the new database. Resolves with the
 * operator's password and the cookie of a session.
 */
export const setUpDemo = async ({ env, setupUrl = "" }: App): Promise<{ password: string; cookie: string }> => {
  const token = new URL(setupUrl).searchParams.get("token") ?? "";
  const password = gatewaySecret(env.random).slice(0, 16);
  const result = await setUpOperator(env, { token, operator: { ...OPERATOR, password, account: "Demo" } }, VISITOR);
  if (typeof result === "string") throw new Error(`the set-up link of the demo is ${result}`);
  return { password, cookie: result.cookie };
};
