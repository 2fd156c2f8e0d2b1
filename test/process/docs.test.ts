import { describe, expect, test } from "bun:test";
import { runInNewContext } from "node:vm";
import { processes } from "../support/processes/process.ts";

const { dataDir, serve } = processes();

/** Every address that a page loads something from. */
const loadedBy = (html: string): string[] =>
  [...html.matchAll(/\b(?:src|href)="([^"]+)"/g)]
    .map(([, address]) => String(address))
    .filter((address) => !address.startsWith("data:"));

describe.each(["platform", "gateway"])("GET /%s/docs", (api) => {
  test("G-025 shows the description with a viewer that the server itself serves, without a key", async () => {
    const { url } = await serve({ RECADO_DATA_DIR: dataDir() });
    const page = await fetch(`${url}/${api}/docs`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const parts = loadedBy(await page.text());
    expect(parts.length).toBeGreaterThanOrEqual(3);
    for (const part of parts) {
      expect(part).toStartWith(`/${api}/docs/`);
      const answer = await fetch(url + part);
      expect([part, answer.status, answer.headers.get("content-type")]).toEqual([
        part,
        200,
        expect.stringMatching(/^text\/(css|javascript); charset=utf-8$/),
      ]);
      expect((await answer.text()).length).toBeGreaterThan(0);
    }
    const start = await (await fetch(`${url}/${api}/docs/start.js`)).text();
    expect(start).toContain(`"/${api}/openapi.json"`);
    expect(await (await fetch(`${url}/${api}/docs/viewer.js`)).text()).toContain("SwaggerUIBundle");
  });

  test("G-025 asks the server under the name that the page was opened by, whatever the public address is", async () => {
    const { url } = await serve({ RECADO_DATA_DIR: dataDir(), RECADO_PUBLIC_URL: "http://localhost:8080" });
    const script = await (await fetch(`${url}/${api}/docs/start.js`)).text();
    const shown = Promise.withResolvers<{ spec: { servers: { url: string }[]; paths: object } }>();
    runInNewContext(script, {
      SwaggerUIBundle: shown.resolve,
      location: { origin: url },
      fetch: (path: string) => fetch(url + path),
    });
    const { spec } = await shown.promise;
    expect(spec.servers).toEqual([{ url: `${url}/${api}` }]);
    expect(Object.keys(spec.paths).length).toBeGreaterThan(20);
    const served = (await (await fetch(`${url}/${api}/openapi.json`)).json()) as { servers: unknown };
    expect(served.servers).toEqual([{ url: `http://localhost:8080/${api}` }]);
  });

  test("G-025 lets the page reach nobody but the server", async () => {
    const { url } = await serve({ RECADO_DATA_DIR: dataDir() });
    const policy = (await fetch(`${url}/${api}/docs`)).headers.get("content-security-policy")?.split("; ") ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const sources = policy.flatMap((rule) => rule.split(" ").slice(1));
    expect(sources.filter((source) => !["'none'", "'self'", "data:"].includes(source))).toEqual([]);
    expect(policy.find((rule) => rule.startsWith("script-src"))).toBe("script-src 'self'");
  });
});
