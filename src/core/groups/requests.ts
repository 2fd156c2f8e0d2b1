import type { UpstreamError } from "../../contract/upstream.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ChannelId } from "../../kernel/ids.ts";

/** The outcome of a request for a group: the group was made (`error: null`), or the error. */
export type RequestOutcome = { error: UpstreamError | null };

/** Wakes the requests that wait for the network's webhook about a group. Listen before the request is sent. */
export type GroupRequests = {
  /** Listens for `forMs` milliseconds. */
  listen(channelId: ChannelId, forMs: number): Listening;
  notify(channelId: ChannelId, requestId: string, outcome: RequestOutcome): void;
};

export type Listening = {
  /** The outcome of a request, also if it came before this call; undefined after the time limit. Call it once. */
  outcomeOf(requestId: string): Promise<RequestOutcome | undefined>;
  end(): void;
};

type Listener = { channelId: ChannelId; outcomes: Map<string, RequestOutcome>; isOver: boolean; look: () => void };

export const createGroupRequests = (clock: Clock): GroupRequests => {
  const listeners = new Set<Listener>();

  const listen: GroupRequests["listen"] = (channelId, forMs) => {
    const listener: Listener = { channelId, outcomes: new Map(), isOver: false, look: () => {} };
    listeners.add(listener);
    const cancel = clock.timer(forMs, () => {
      listener.isOver = true;
      listener.look();
    });
    return {
      outcomeOf: (requestId) =>
        new Promise((resolve) => {
          listener.look = () => {
            const outcome = listener.outcomes.get(requestId);
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
    notify(channelId, requestId, outcome) {
      for (const listener of listeners) {
        if (listener.channelId !== channelId) continue;
        listener.outcomes.set(requestId, outcome);
        listener.look();
      }
    },
  };
};
