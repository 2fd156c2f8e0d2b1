import { describe, expect, test } from "bun:test";
import { TO } from "../../../support/customers/customer.ts";
import { connectedChannel, customer, made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

describe("M26-1 an institution's conversation that another app leads", () => {
  test("M26-1 has each message once, marked, and says who leads it; nobody is asked to answer", async () => {
    const institution = await customer(w);
    const { key } = institution;
    const channel = await connectedChannel(w, institution);
    const hook = w.receiver();
    const body = { name: "All", url: hook.url, events: ["message.received"], secret: WEBHOOK_SECRET };
    made(await w.platform("/v1/webhooks", { key, body }), 201);
    const where = { to: channel.phoneNumberId, from: TO, at: w.clock.now() };
    const wamid = await w.graph.threads.standby({ ...where, text: "um" });
    await w.graph.threads.echo({ ...where, text: "a outra app" });
    await w.settle();
    const [conversation] = (await w.platform("/v1/conversations", { key })).body.data;
    expect(conversation).toMatchObject({ status: "OPEN", heldBy: { role: null } });
    const messages = async () =>
      (await w.platform(`/v1/conversations/${conversation.id}/messages`, { key })).body.data.map((message: any) => [
        message.direction,
        message.text,
        message.heldBy,
      ]);
    expect(await messages()).toEqual([
      ["OUTBOUND", "a outra app", { role: null }],
      ["INBOUND", "um", { role: null }],
    ]);
    expect(hook.arrived).toEqual([]);

    await w.graph.inbound.text({ ...where, text: "um", wamid });
    await w.settle();
    expect(await messages()).toEqual([
      ["OUTBOUND", "a outra app", { role: null }],
      ["INBOUND", "um", undefined],
    ]);
    expect(hook.arrived.map(({ body: event }) => [event.text, event.conversationId])).toEqual([
      ["um", conversation.id],
    ]);
    expect((await w.platform(`/v1/conversations/${conversation.id}`, { key })).body.heldBy).toBeUndefined();
  });
});
