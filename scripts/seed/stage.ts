import { simulatorPlugin } from "../../plugins/simulator/plugin.ts";
import { type App, startApp } from "../../src/app.ts";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import type { ChannelEvent } from "../../src/contract/events.ts";
import { receiveEvents } from "../../src/core/inbound.ts";
import type { ChannelId } from "../../src/kernel/ids.ts";
import { createLog } from "../../src/kernel/log.ts";
import type { Random } from "../../src/kernel/random.ts";
import { type SimulatedLlm, startLlm } from "../../test/support/llm/index.ts";
import { startReceiver } from "../../test/support/servers/receiver.ts";
import { configOf } from "./config.ts";

/** A Recado that lives through the past: its clock moves only by `until`, and its networks are simulated. */
export type Stage = {
  env: App["env"];
  /** The random source of the content. Ids, keys and secrets come from the system. */
  random: Random;
  llm: SimulatedLlm;
  /** A webhook that answers 200, and one that answers 500. Both exist only while the past is made. */
  webhooks: { good: string; failing: string };
  /** Moves time to `atMs` and runs all work that is due by then. Throws for a time that has passed. */
  until(atMs: number): Promise<void>;
  /** Takes in a network's report about a channel, as if its link had reported it. */
  receive(channelId: ChannelId, event: ChannelEvent): Promise<void>;
};

type Times = { dataDir: string; seed: number; startMs: number };

/** The simulator's receipts come within this time of a send. */
const RECEIPTS_MS = 1000;

/** Runs `play` on a Recado that starts at `startMs` in the directory, and stops it whatever `play` does. */
export const onStage = async <Result>(
  { dataDir, seed, startMs }: Times,
  play: (stage: Stage) => Promise<Result>,
): Promise<Result> => {
  const clock = manualClock(startMs);
  const [good, failing, llm] = [startReceiver(), startReceiver(), startLlm()];
  failing.reply(() => new Response("no room", { status: 500 }));
  const config = configOf(dataDir, { RECADO_OUTBOUND_ALLOW: "127.0.0.1" });
  const options = { log: createLog("error"), simulated: true, clock, plugins: [simulatorPlugin()] };
  const app = await startApp(config, options);
  const settle = async (): Promise<void> => {
    await app.runner.idle();
    clock.advance(RECEIPTS_MS);
    await app.runner.idle();
  };
  const until = async (atMs: number): Promise<void> => {
    clock.advance(atMs - clock.now());
    await settle();
  };
  const receive = async (channelId: ChannelId, event: ChannelEvent): Promise<void> => {
    const origin = { channelId, environment: "live" } as const;
    await app.env.db.write((tx) => receiveEvents(app.env, tx, origin, [event]));
    await settle();
  };
  try {
    const webhooks = { good: good.url, failing: failing.url };
    return await play({ env: app.env, random: seededRandom(seed), llm, webhooks, until, receive });
  } finally {
    await app.stop();
    await Promise.all([good.stop(), failing.stop(), llm.stop()]);
  }
};
