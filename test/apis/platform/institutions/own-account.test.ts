import { describe, expect, test } from "bun:test";
import { customer, made, sendText, wabaChannel } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const who = useEach(() => customer(w));
const account = async (credentials: { key?: string; token?: string }): Promise<any> =>
  made(await w.platform("/v1/account", credentials), 200);
const limitOf = async (name: string) =>
  (await account({ key: who.key })).limits.find((one: { name: string }) => one.name === name);

describe("GET /v1/account of the platform", () => {
  test("a key sees the institution and itself, and never the key", async () => {
    const said = await account({ key: who.key });
    expect(said).toMatchObject({ id: who.id, status: "ACTIVE", role: null, environment: "live" });
    expect(said.key.permissions).toEqual(said.permissions);
    expect(said.requestsPerMinute.left).toBeLessThan(said.requestsPerMinute.limit);
    expect(JSON.stringify(said)).not.toContain(who.key);
    expect((await account({ key: who.testKey })).environment).toBe("test");
  });

  test("a key without that permission opens it too; a user sees the role and no key", async () => {
    const body = { name: "One right", permissions: ["webhooks.read"] };
    const { key } = made(await w.platform("/v1/api-keys", { token: who.token, body }), 201);
    expect((await account({ key })).permissions).toEqual(["webhooks.read"]);
    expect(await account({ token: who.token })).toMatchObject({ id: who.id, role: "OWNER", key: null });
  });

  test("counts the channels, and the messages of the day that are live", async () => {
    const before = await limitOf("channels");
    const channel = await wabaChannel(w, who.key);
    expect(await limitOf("channels")).toMatchObject({ used: before.used + 1, left: before.left - 1 });
    made(await sendText(w, who.testKey, channel.id), 202);
    expect((await account({ key: who.key })).messagesPerDay.used).toBe(0);
  });
});
