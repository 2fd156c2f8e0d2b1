import { afterEach, expect, test } from "bun:test";
import { startWorld, type World } from "../support/world.ts";

let w: World;
afterEach(() => w.stop());

test("the root leads to the console, which names both APIs and links their descriptions; below it is nothing else", async () => {
  w = await startWorld();
  const { url, gatewayUrl, platformUrl } = w.app;
  const root = await fetch(`${url}/`, { redirect: "manual" });
  expect([root.status, root.headers.get("location")]).toEqual([302, "/console"]);
  for (const path of ["/console", "/console/"]) {
    const page = await fetch(url + path);
    const html = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    for (const api of [gatewayUrl, platformUrl]) expect(html).toContain(`<a href="${api}/docs">`);
  }
  expect(await (await fetch(`${url}/console`, { headers: { accept: "application/json" } })).json()).toEqual({
    gatewayUrl,
    platformUrl,
  });
  const nothing = await fetch(`${url}/nothing`);
  expect([nothing.status, await nothing.json()]).toEqual([404, { error: "not found" }]);
});

test("behind a path the root is that path", async () => {
  w = await startWorld({ env: { RECADO_PUBLIC_URL: "http://localhost:9/recado" } });
  const leads = async (path: string) => (await fetch(w.app.url + path, { redirect: "manual" })).headers.get("location");
  expect([await leads("/recado"), await leads("/recado/"), await leads("/")]).toEqual([
    "/recado/console",
    "/recado/console",
    null,
  ]);
});
