import { resolve } from "node:path";
import { attempts } from "../waiting.ts";

/** The received messages, in order; null for a second without one. */
export type Note = string | null;

/** Listens like a service manager, in a separate process. */
export type Listening = {
  notes(): readonly Note[];
  /** Resolves with the place of the first note from `from` on that fits. */
  until(fits: (note: Note) => boolean, from?: number): Promise<number>;
  stop(): Promise<void>;
};

/** At a path, or at an abstract name (`@…`). Throws if it cannot listen there. */
export const listenAt = async (address: string): Promise<Listening> => {
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, "../children/notify-listener.ts"), address], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const notes: Note[] = [];
  let waiting: (() => void)[] = [];
  let rest = "";
  const read = async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      notes.push(...lines.map((line) => JSON.parse(line) as Note));
      for (const look of waiting.splice(0)) look();
    }
    for (const look of waiting.splice(0)) look();
  };
  const done = read();
  const until: Listening["until"] = async (fits, from = 0) => {
    for (const checkLimit = attempts(); ; checkLimit()) {
      const at = notes.findIndex((note, place) => place >= from && fits(note));
      if (at >= 0) return at;
      if (child.exitCode !== null) throw new Error(`the listener at ${address} ended after ${JSON.stringify(notes)}`);
      await new Promise<void>((look) => void waiting.push(look));
    }
  };
  await until((note) => note === "listening");
  return {
    notes: () => notes,
    until,
    async stop() {
      child.kill("SIGKILL");
      await done;
    },
  };
};
