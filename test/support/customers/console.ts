import type { World } from "../world.ts";

/** The answer of an endpoint of the console. */
export type ConsoleAnswer = { status: number; body: any; headers: Headers };

/**
 * A browser at the console: it keeps cookies, and sends the headers of the console's own program. `from`: the address
 * that a trusted proxy names.
 */
export type ConsoleBrowser = {
  readonly cookies: Map<string, string>;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  get(path: string): Promise<ConsoleAnswer>;
  post(path: string, body?: unknown): Promise<ConsoleAnswer>;
};

export const browserAt = (world: World, { from }: { from?: string } = {}): ConsoleBrowser => {
  const cookies = new Map<string, string>();
  const ask: ConsoleBrowser["ask"] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${world.app.url}/console${path}`, {
      method,
      headers: {
        "x-recado-console": "1",
        "sec-fetch-site": "same-origin",
        ...(method === "GET" ? {} : { origin: new URL(world.app.publicUrl).origin }),
        ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(from === undefined ? {} : { "x-forwarded-for": from }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
  };
  return { cookies, ask, get: (path) => ask("GET", path), post: (path, body = {}) => ask("POST", path, body) };
};

export const OPERATOR = { name: "Olga Operator", email: "olga@example.com", password: "a long password" };

/** Sets the server up with its first operator. Gives the operator's signed-in browser. */
export const setUpConsole = async (world: World): Promise<ConsoleBrowser> => {
  const browser = browserAt(world);
  const token = new URL(world.app.setupUrl ?? "").searchParams.get("token");
  const answer = await browser.post("/setup", { token, ...OPERATOR, account: "ACME" });
  if (answer.status !== 201) throw new Error(`the set-up failed: ${JSON.stringify(answer.body)}`);
  return browser;
};
