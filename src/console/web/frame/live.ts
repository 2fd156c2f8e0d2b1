import { effect, signal } from "@preact/signals";
import { gateway } from "./client.ts";
import { account } from "./session.ts";

/** An event of the stream, as pages need it. */
export type LiveEvent = { type: string; data?: unknown };

/** Whether the pages change by themselves: `cut` while the stream is lost and is opened again. */
export const liveState = signal<"opening" | "live" | "cut">("opening");

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

/** Calls `listener` for each event of the account. Returns what ends that. */
export const onEvent = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const publish = (event: LiveEvent): void => {
  for (const listener of listeners) listener(event);
};

const follow = async (signal: AbortSignal): Promise<void> => {
  let wasCut = false;
  const stream = gateway.events.stream({
    signal,
    onOpen() {
      liveState.value = "live";
      if (wasCut) publish({ type: "gap" }); // what happened meanwhile comes too, but may be long
      wasCut = false;
    },
    onReconnect() {
      liveState.value = "cut";
      wasCut = true;
    },
    maxWaitMs: 5000,
  });
  for await (const event of stream) publish(event);
};

/** The shortest pause before a stream that was refused is asked for again. */
const REFUSED_WAIT_MS = 5000;

/** Follows the events of the chosen account until the page is left. The first opening is repeated too. */
export const startLive = (): void => {
  effect(() => {
    const id = account.value?.id;
    if (id === undefined) return undefined;
    const controller = new AbortController();
    liveState.value = "opening";
    const begin = (): void => {
      follow(controller.signal).catch(() => {
        if (controller.signal.aborted) return;
        liveState.value = "cut";
        setTimeout(() => {
          if (!controller.signal.aborted) begin();
        }, REFUSED_WAIT_MS);
      });
    };
    begin();
    return () => controller.abort();
  });
};
