import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { type Cancel, MINUTE_MS } from "../../../src/kernel/clock.ts";

const PATIENCE_MS = MINUTE_MS;
/** A sender whose keys are broken is counted no further. */
const MOST = 1000;

/** Messages that could not be decrypted, until they come again, as they do when their sender is asked. */
export type Missing = {
  expect(id: string): void;
  came(id: string): void;
  close(): void;
};

/** Says in the log how many never came. Somebody whose messages stay away has to know that there were some. */
export const missingMessages = ({
  channelId,
  clock,
  log,
}: Pick<ChannelHost, "channelId" | "clock" | "log">): Missing => {
  const dueById = new Map<string, number>();
  let cancel: Cancel | undefined;

  // all wait equally long, so the first that came is the first that is due
  const watch = () => {
    const [due] = dueById.values();
    cancel = due === undefined ? undefined : clock.timer(Math.max(0, due - clock.now()), giveUp);
  };
  const giveUp = () => {
    const lost = [...dueById].filter(([, due]) => due <= clock.now());
    for (const [id] of lost) dueById.delete(id);
    if (lost.length > 0)
      log.warn({ channelId, count: lost.length }, "messages could not be decrypted and did not come again");
    watch();
  };

  return {
    expect(id) {
      if (dueById.has(id) || dueById.size === MOST) return;
      dueById.set(id, clock.now() + PATIENCE_MS);
      if (!cancel) watch();
    },
    came: (id) => void dueById.delete(id),
    close() {
      cancel?.();
      cancel = undefined;
      dueById.clear();
    },
  };
};
