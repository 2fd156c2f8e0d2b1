import type { UpstreamError } from "../../contract/upstream.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ChannelId } from "../../kernel/ids.ts";

/** What became of a group that was asked for: it is there, or this is why not. */
export type RequestOutcome = { error: UpstreamError | null };

/**
 * Wakes those who wait for the network's news of groups that they asked for. Who listens before they ask misses
 * nothing.
 */
export type GroupRequests = {
  /** Listens for so long. */
  listen(channelId: ChannelId, forMs: number): Listening;
  tell(channelId: ChannelId, requestId: string, outcome: RequestOutcome): void;
};

export type Listening = {
  /**
   * What became of the request, also when that was told before; undefined when nothing is told in time. Asked for once.
   */
  outcomeOf(requestId: string): Promise<RequestOutcome | undefined>;
  end(): void;
};

type Listener = { channelId: ChannelId; told: Map<string, RequestOutcome>; isOver: boolean; look: () => void };

export const createGroupRequests = (clock: Clock): GroupRequests => {
  const listeners = new Set<Listener>();

  const listen: GroupRequests["listen"] = (channelId, forMs) => {
    const listener: Listener = { channelId, told: new Map(), isOver: false, look: () => {} };
    listeners.add(listener);
    const cancel = clock.timer(forMs, () => {
      listener.isOver = true;
      listener.look();
    });
    return {
      outcomeOf: (requestId) =>
        new Promise((resolve) => {
          listener.look = () => {
            const outcome = listener.told.get(requestId);
            if (outcome || listener.isOver) resolve(outcome);
          };
          listener.look();
        }),
      end() {
        cancel();
        listeners.delete(listener);
      },
    };
  };

  return {
    listen,
    tell(channelId, requestId, outcome) {
      for (const listener of listeners) {
        if (listener.channelId !== channelId) continue;
        listener.told.set(requestId, outcome);
        listener.look();
      }
    },
  };
};
