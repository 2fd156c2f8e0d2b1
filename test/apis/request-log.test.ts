import { afterEach, expect, test } from "bun:test";
import { startWorld, type World } from "../support/world.ts";

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

test("every request is found in the log by the id of its answer, also a refused one", async () => {
  const world = await startWorld({ logLevel: "debug" });
  worlds.push(world);
  const { key } = await world.account();
  for (const [headers, status] of [
    [{ "x-api-key": key }, 200],
    [{ "x-api-key": "of-nobody" }, 401],
  ] as const) {
    const answer = await fetch(`${world.app.url}/gateway/v1/phones`, { headers });
    expect(answer.status).toBe(status);
    const id = answer.headers.get("x-request-id") ?? "";
    const lines = world.logs.filter((line) => line.includes(`"requestId":"${id}"`));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { api: "gateway", method: "GET", route: "/v1/phones", status, msg: "request answered" },
    ]);
  }
});
