import type { ChannelHost } from "../../src/contract/plugin.ts";

export type SessionChoices = {
  alwaysOnline: boolean;
  readAutomatically: boolean;
  ignoreGroups: boolean;
  rejectCalls: boolean;
  rejectCallsText: string | undefined;
};

/** The settings of one session, which the vault has. They are read anew after a change, and with every connection. */
export type PhoneSettings = {
  current(): Promise<SessionChoices>;
  /** Forgets what was read. Calls all listeners. */
  changed(): void;
  onChange(listener: () => void): void;
};

export const createPhoneSettings = ({ vault }: Pick<ChannelHost, "vault">): PhoneSettings => {
  let read: Promise<SessionChoices> | undefined;
  const listeners: (() => void)[] = [];
  const readNow = async (): Promise<SessionChoices> => {
    const stored = await vault.read();
    const isOn = (name: string) => stored[name] === "on";
    return {
      alwaysOnline: isOn("alwaysOnline"),
      readAutomatically: isOn("readAutomatically"),
      ignoreGroups: isOn("ignoreGroups"),
      rejectCalls: isOn("rejectCalls"),
      rejectCallsText: stored["rejectCallsText"] || undefined,
    };
  };
  return {
    current() {
      read ??= readNow().catch((thrown: unknown) => {
        read = undefined; // the next question asks again
        throw thrown;
      });
      return read;
    },
    changed() {
      read = undefined;
      for (const listener of listeners) listener();
    },
    onChange: (listener) => void listeners.push(listener),
  };
};
