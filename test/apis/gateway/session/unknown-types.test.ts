import { afterAll, beforeAll, expect, test } from "bun:test";
import { unknownTypes } from "../../../../src/doctor/network/unknown-types.ts";
import { places } from "../../../support/processes/doctor.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../support/session/world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { stanza } from "../../../support/whatsapp/index.ts";
import { wireField } from "../../../support/whatsapp/people/content.ts";

const { report } = places();
let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld();
});
afterAll(() => s.stop());

const doctor = () => report(unknownTypes, { RECADO_DATA_DIR: s.w.dataDir });
const figures = async (): Promise<Record<string, number>> => {
  s.w.clock.advance(6000); // the text of the figures is kept for five seconds
  const text = await (await fetch(`${s.w.app.url}/metrics`)).text();
  const lines = text.matchAll(/^recado_unknown_received_total\{kind="SESSION",what="([^"]+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, what, count]) => [what, Number(count)]));
};

test("what the network sends and nobody here knows is counted by its name, and the doctor names it", async () => {
  const { owner, hook } = await pairedPhone(s);
  expect([await figures(), (await doctor()).outcome]).toEqual([{}, "ok"]);
  const ana = s.contact();
  const device = owner.devices.at(-1);
  const sent = { from: "s.whatsapp.net", t: "1795000000" };
  device?.deliver(stanza("orbit", { ...sent, id: "u-1" }));
  device?.deliver(stanza("orbit", { ...sent, id: "u-2" }));
  device?.deliver(stanza("notification", { ...sent, id: "u-3", type: "moon rise" }, [stanza("moon")]));
  // the types that are known, and the types of this network's own, are no unknown names
  await ana.sendProto({ wire: wireField(190, wireField(1, "olá")) }, { to: owner });
  expect((await untilEvents(s.w, hook, "message:received"))[0]).toMatchObject({ type: "unsupported" });
  const expected = { "stanza:orbit": 2, "notification:moon_rise": 1, "message:field190": 1 };
  await untilTrue(async () => {
    const text = await s.w.app.env.metrics.text();
    return Object.entries(expected).every(([what, count]) => text.includes(`what="${what}"} ${count}\n`));
  });
  expect(await figures()).toEqual(expected);
  await untilTrue(async () => (await doctor()).outcome === "warning");
  for (const name of Object.keys(expected)) expect((await doctor()).found).toContain(name);
});
