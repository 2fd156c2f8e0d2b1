import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { type Cancel, MINUTE_MS } from "../../../src/kernel/clock.ts";

const PATIENCE_MS = MINUTE_MS;
/** The maximum count for a sender whose keys are broken. */
const MOST = 1000;

/** Messages that could not be decrypted, until they come again, because their sender is asked for them. */
export type Missing = {
  expect(id: string): void;
  came(id: string): void;
  close(): void;
};

/** Logs the number of messages that never came, so that the operator learns of them. */
export const missingMessages = ({
  channelId,
  clock,
  log,
}: Pick<ChannelHost, "channelId" | "clock" | "log">): Missing => {
  const dueById = new Map<string, number>();
  let cancel: Cancel | undefined;

  // all wait equally long, so the first to come is the first to be due
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
