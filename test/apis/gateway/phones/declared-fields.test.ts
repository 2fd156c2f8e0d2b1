import { afterAll, beforeAll, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { ChannelPlugin } from "../../../../src/contract/plugin.ts";
import { pagerNetwork } from "../../../support/networks/pager.ts";
import { customer, gatewayKeyOf, made } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

// adapters that declare fields as plugins/README.md says: not optional, and of any schema

let w: World;
beforeAll(async () => {
  const { plugin } = pagerNetwork();
  const boat: ChannelPlugin = {
    ...plugin,
    name: "boat",
    kind: "BOAT",
    phoneFields: {
      schema: { boatName: Type.String({ minLength: 1 }), boatLights: Type.Array(Type.Integer()) },
      of: () => ({ boatName: "Anna", boatLights: [1, 2] }),
    },
  };
  const mute: ChannelPlugin = {
    ...plugin,
    name: "mute",
    kind: "MUTE",
    phoneFields: { schema: { muteSince: Type.Integer({ minimum: 1 }) }, of: () => ({}) },
  };
  w = await startWorld({ plugins: [plugin, boat, mute] });
});
afterAll(() => w.stop());

test("the fields that one adapter declares ask nothing of phones of other kinds, in any API", async () => {
  const who = await customer(w);
  const key = await gatewayKeyOf(w, who);
  const { kinds } = w.app.env.registry;
  const ids: Record<string, string> = {};
  for (const kind of kinds) {
    const { id } = made(await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: kind } }), 201);
    ids[kind] = id;
    await w.app.env.db.write(async (tx) => tx.run("UPDATE channels SET kind = ?2 WHERE id = ?1", [id, kind]));
  }
  expect(kinds).toEqual(expect.arrayContaining(["SESSION", "WABA", "PAGER", "BOAT", "MUTE"]));

  const listed: { type: string }[] = made(await w.gateway("/v1/phones", { key }), 200);
  expect(listed.map(({ type }) => type).sort()).toEqual([...kinds].sort());
  for (const kind of kinds) {
    const phone = made(await w.gateway(`/v1/phones/${ids[kind]}`, { key }), 200);
    expect(listed).toContainEqual(phone);
    expect("boatName" in phone).toBe(kind === "BOAT");
    expect("muteSince" in phone).toBe(false);
  }
  const shown: { id: string }[] = made(await w.platform("/v1/channels", { key: who.key }), 200).data;
  expect(shown.length).toBeGreaterThanOrEqual(kinds.length - 1); // the platform API does not list sessions
  for (const channel of shown)
    expect(made(await w.platform(`/v1/channels/${channel.id}`, { key: who.key }), 200)).toEqual(channel);
});
