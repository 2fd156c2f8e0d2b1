import { startConsoleSession } from "../../../src/core/tenancy/sign-in/session-start.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { insertOperator } from "../../../src/store/tables/tenancy/operators.ts";
import type { World } from "../world.ts";

const VISITOR = { address: "127.0.0.1", userAgent: null, door: "test" };

/** A session of a platform user in the console: the value of its cookie. */
export const memberSession = (w: World, userId: string): Promise<string> =>
  w.app.env.db.write((tx) =>
    startConsoleSession(w.app.env, tx, `user:${userId}`, { shown: { is: "new" }, from: VISITOR }),
  );

/** A new operator with a session. */
export const operatorSession = (w: World): Promise<{ id: string; cookie: string }> => {
  const { env } = w.app;
  const id = newId(env);
  const email = `${id}@example.com`;
  return env.db.write(async (tx) => {
    await insertOperator(tx, {
      id,
      name: "Olga",
      email,
      emailKey: email,
      passwordHash: "",
      createdAt: env.clock.now(),
    });
    return {
      id,
      cookie: await startConsoleSession(env, tx, `operator:${id}`, { shown: { is: "new" }, from: VISITOR }),
    };
  });
};

export type AskedOfConsole = {
  as?: string;
  account?: string;
  method?: string;
  body?: object;
  headers?: Record<string, string | null>;
};

/** A request below the console in the form of its own page. A header of null is left out. */
export const askConsole = async (
  w: World,
  path: string,
  { as, account, method, body, headers = {} }: AskedOfConsole = {},
) => {
  const sent: Record<string, string | null> = {
    "x-recado-console": "1",
    origin: new URL(w.app.publicUrl).origin,
    "sec-fetch-site": "same-origin",
    cookie: as ? `recado=${as}` : null,
    "x-recado-account": account ?? null,
    "content-type": body ? "application/json" : null,
    ...headers,
  };
  const answer = await fetch(`${w.app.url}/console${path}`, {
    method: method ?? (body ? "POST" : "GET"),
    headers: Object.entries(sent).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as [string, string]],
    ),
    redirect: "manual",
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  const isJson = text.startsWith("{");
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
};
