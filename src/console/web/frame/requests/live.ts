import { effect, signal } from "@preact/signals";
import { account } from "../session.ts";
import { gateway } from "./client.ts";
import { alone, sharedName } from "./tabs.ts";

/** The fields of an event of the stream that pages need. */
export type LiveEvent = { type: string; data?: unknown };

/** Whether the pages follow events. `cut`: the stream is lost, and opens again. */
export const liveState = signal<"opening" | "live" | "cut">("opening");

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

/** Calls `listener` for each event of the account. Returns a function that ends it. */
export const onEvent = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const publish = (event: LiveEvent): void => {
  for (const listener of listeners) listener(event);
};

/** The messages of the tab that follows the stream. `hello`: another tab asks for the state. */
type Notice = { event: LiveEvent } | { state: "opening" | "live" | "cut" } | { hello: true };

/** A tab that follows the stream for all tabs of the person in the account. */
const follow = async (signal: AbortSignal, post: (notice: Notice) => void, wasFollowing: boolean): Promise<void> => {
  let wasCut = wasFollowing;
  const pass = (event: LiveEvent): void => {
    publish(event);
    post({ event });
  };
  const become = (state: "live" | "cut"): void => {
    liveState.value = state;
    post({ state });
  };
  const stream = gateway.events.stream({
    signal,
    onOpen() {
      become("live");
      if (wasCut) pass({ type: "gap" }); // missed events come too, but may be many
      wasCut = false;
    },
    onReconnect() {
      become("cut");
      wasCut = true;
    },
    maxWaitMs: 5000,
  });
  for await (const event of stream) pass(event);
};

/** The shortest pause before a refused stream is opened again. */
const REFUSED_WAIT_MS = 5000;

/**
 * Follows the events of the chosen account until the page is left. One tab has the stream and passes it on to the others; when it
 * is closed another one opens it. The first opening is repeated too.
 */
export const startLive = (): void => {
  effect(() => {
    if (account.value?.id === undefined) return undefined;
    const { signal, abort } = abortable();
    const name = sharedName("events");
    const channel = new BroadcastChannel(name);
    let isLeader = false;
    let wasNotified = false;
    const post = (notice: Notice): void => {
      if (!signal.aborted) channel.postMessage(notice);
    };
    channel.addEventListener("message", ({ data }: MessageEvent<Notice>) => {
      if ("hello" in data) {
        if (isLeader) post({ state: liveState.peek() });
        return;
      }
      if (isLeader) return;
      wasNotified = true;
      if ("event" in data) publish(data.event);
      else liveState.value = data.state;
    });
    liveState.value = "opening";
    const lead = async (): Promise<void> => {
      isLeader = true;
      while (!signal.aborted) {
        await follow(signal, post, wasNotified).catch(() => undefined);
        if (signal.aborted) return;
        liveState.value = "cut";
        post({ state: "cut" });
        await new Promise<void>((resolve) => void setTimeout(resolve, REFUSED_WAIT_MS));
        wasNotified = true; // no stream has the events of this wait
      }
    };
    post({ hello: true });
    alone(name, lead, signal).catch(() => undefined); // the wait for the place ends with the signal
    return () => {
      abort();
      channel.close();
    };
  });
};

const abortable = (): { signal: AbortSignal; abort: () => void } => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
};
