import { describe, expect, test } from "bun:test";
import { sessionChannel, told } from "../../support/session-link.ts";

const channel = sessionChannel();

describe("over the network", () => {
  test("G-610 a text is told once, and only then acknowledged", async () => {
    const { ana, phone, host } = channel();
    const id = await ana.say("oi", { to: phone });
    expect(await told(host, "received")).toMatchObject([{ key: id, from: { pn: ana.pn, lid: ana.lid }, pushName: "Ana", content: { type: "text", content: { text: "oi" } } }]);
    await ana.untilHeard((receipt) => receipt.id === id);
    expect(host.events).toHaveLength(1);
  });
});
