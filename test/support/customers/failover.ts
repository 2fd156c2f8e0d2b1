import type { Receipt } from "../../../src/contract/events.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { newSessionCustomer, reported, type SessionNetwork, sessionNetwork } from "../session/scripted-sends.ts";
import { useEach, useWorld } from "../use-world.ts";
import type { World } from "../world.ts";
import { type Customer, rowsOf, sendsOf } from "./customer.ts";
import { knownTemplate } from "./templates.ts";

/** A customer with a session phone, and an official phone with an approved template `hello`. */
export type TwoPhones = Customer & {
  official: Awaited<ReturnType<World["wabaPhone"]>>;
  /** Sends a text through the session, with the template as its fallback after ten minutes. */
  sentWith(fallback?: object, more?: object): Promise<string>;
  fallback(more?: object): object;
  /** The templates that the official network got. */
  templates(): any[];
  lost(): Promise<void>;
  back(): Promise<void>;
  receipt(id: string, status: Receipt["status"]): Promise<void>;
};

export const AFTER_MINUTES = 10;

export const newTwoPhones = async (w: World, network: SessionNetwork): Promise<TwoPhones> => {
  const c = await newSessionCustomer(w);
  const official = await w.wabaPhone(c.key);
  await knownTemplate(w, official.id);
  await w.settle();
  c.hook.arrived.length = 0;
  const fallback = (more: object = {}) => ({
    phoneId: official.id,
    template: { name: "hello" },
    afterMinutes: AFTER_MINUTES,
    ...more,
  });
  return {
    ...c,
    official,
    fallback,
    sentWith: (more, rest = {}) => c.sent({ fallback: fallback(more), ...rest }),
    templates: () => sendsOf(w, { phone: official }),
    lost: () => reported(w, network, c.phone.id, { state: "CONNECTING" }),
    back: () => reported(w, network, c.phone.id, { state: "CONNECTED" }),
    async receipt(id, status) {
      const [row] = await rowsOf<{ key: string }>(w, "SELECT provider_message_id AS key FROM messages WHERE id = ?1", [
        id,
      ]);
      await network.notify(c.phone.id, {
        kind: "receipt",
        key: row?.key as never,
        status,
        at: w.app.env.clock.now(),
      });
      await w.settle();
    },
  };
};

/** A world with both networks for the tests of a file, and before each test a new customer with both phones. */
export const useTwoPhones = (): { w: World; network: SessionNetwork; c: TwoPhones } => {
  const network = sessionNetwork();
  const w = useWorld({
    plugins: [network.plugin],
    env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" },
  });
  const c = useEach(() => {
    network.sent.length = 0;
    network.outcomes.length = 0;
    network.pace = () => 0;
    return newTwoPhones(w, network);
  });
  return { w, network, c };
};

/** Checks that no waiting message is sent twice, after any time. */
export const muchLater = async (w: World): Promise<void> => {
  await w.advance(3 * DAY_MS);
  await w.settle();
};
