import { afterEach, describe, expect, test } from "bun:test";
import { createCloudApi } from "../../../src/apis/cloud/api.ts";
import { KEPT_MAX_BYTES } from "../../../src/core/media/kept.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { CLOUD_ENV, type CloudClient, cloudClientOf, errorOf } from "../../support/apis/cloud.ts";
import { newCustomer, rowsOf } from "../../support/customers/customer.ts";
import { startWorld, type World } from "../../support/world.ts";

const started: World[] = [];
const world = async (
  env: Record<string, string> = {},
  more: object = {},
): Promise<{ w: World; client: CloudClient; accountId: string }> => {
  const w = await startWorld({ env: { ...CLOUD_ENV, ...env }, ...more });
  started.push(w);
  const customer = await newCustomer(w);
  return { w, client: await cloudClientOf(w, customer), accountId: customer.accountId };
};
afterEach(async () => void (await Promise.all(started.splice(0).map((w) => w.stop()))));

describe("the limits of the API", () => {
  test("sends are refused with the network's code, and nothing is kept", async () => {
    const { w, client, accountId } = await world({ RECADO_GATEWAY_SEND_RATE: "2" });
    const statuses = [await client.send(), await client.send()].map(({ status }) => status);
    const refused = await client.send();
    expect([statuses, errorOf(refused)]).toEqual([
      [200, 200],
      [429, 130429, undefined],
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [accountId])).length).toBe(2);
    await w.advance(MINUTE_MS);
    expect((await client.send()).status).toBe(200);
  });

  test("other calls are refused with the code of an account's calls", async () => {
    const { client } = await world({ RECADO_GATEWAY_RATE: "8" });
    const answers = [];
    for (let n = 0; n < 9; n++) answers.push(await client.ask(`/${client.number.numberId}`));
    expect(errorOf(answers.at(-1) as never)).toEqual([429, 80007, undefined]);
  });

  test("tokens cannot be guessed", async () => {
    const { client } = await world({ RECADO_GATEWAY_RATE: "8" });
    const answers = [];
    for (let n = 0; n < 9; n++) answers.push(await client.ask("/1", { token: `ck_live_guess${n}` }));
    expect(errorOf(answers[0] as never)).toEqual([401, 190, undefined]);
    expect(errorOf(answers.at(-1) as never)).toEqual([429, 4, undefined]);
  });

  test("a body that is too large, no JSON, or nested too deep is refused in the API's envelope", async () => {
    const { w, client, accountId } = await world();
    const path = `/${client.number.numberId}/messages`;
    expect(errorOf(await client.ask(path, { raw: "x".repeat(2 * 1024 * 1024) }))).toEqual([413, 100, undefined]);
    expect(errorOf(await client.ask(path, { raw: "{broken" }))).toEqual([400, 100, undefined]);
    expect(errorOf(await client.ask(path, { raw: "[1]" }))).toEqual([400, 131009, undefined]);
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    expect(errorOf(await client.send({ type: "interactive", interactive: deep }))).toEqual([400, 131009, undefined]);
    expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [accountId])).toEqual([]);
  });

  test("a route says for itself how large its body may be, who opens it, and whether it sends", async () => {
    const { w } = await world();
    const { routes } = createCloudApi(w.app.env, { prefix: "/g", url: () => "http://localhost/g" }).table;
    const where = (is: (options: (typeof routes)[number]["routeOptions"]) => boolean) =>
      routes.filter(({ routeOptions }) => is(routeOptions)).map(({ name }) => name);
    expect(where(({ access }) => access === "public")).toEqual(["GET /:version/files/:owner/:id"]);
    expect(where(({ countsAsSend }) => countsAsSend)).toEqual([
      "POST /:version/:id/messages",
      "POST /:version/:id/marketing_messages",
    ]);
    expect(where(({ maxBodyBytes }) => maxBodyBytes > KEPT_MAX_BYTES)).toEqual(["POST /:version/:id/media"]);
  });

  test("rule 1: without the setting the API is not there", async () => {
    const { w, client } = await world({ RECADO_CLOUD_URL: "off" });
    expect(w.app.cloudUrl).toBe(undefined);
    const answer = await fetch(`${w.app.url}/graph/v23.0/${client.number.numberId}`, {
      headers: { authorization: `Bearer ${client.token}` },
    });
    expect(answer.status).toBe(404);
  });
});

describe("the log", () => {
  test("rule 3: never has a token, also not one of the query, nor a text or a number", async () => {
    const { w, client } = await world({ RECADO_LOG_LEVEL: "debug" }, { logLevel: "debug" });
    const { ask, number, token } = client;
    const other = "ck_live_somebody-elses-token-that-is-long-enough";
    await ask(`/${number.accountId}/message_templates?access_token=${token}`, { token: null });
    await ask(`/${number.numberId}?access_token=${other}`, { token: null });
    await ask(`/${number.numberId}/nothing?access_token=${token}`, { token: null, raw: "{" });
    await ask(`/debug_token?input_token=${other}&access_token=${token}`, { token: null });
    await client.send({ text: { body: "segredo do cliente" }, to: "5511987650001" });
    await client.send({ type: "image", image: { link: "https://10.0.0.1/?t=segredo-do-link" } });
    await w.settle();
    const log = w.logs.join("\n");
    for (const secret of [token, other, "segredo do cliente", "5511987650001", "segredo-do-link"])
      expect([secret, log.includes(secret)]).toEqual([secret, false]);
    expect(w.logs.length).toBeGreaterThan(0);
  });
});
