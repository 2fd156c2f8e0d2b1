import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach } from "../active-socket.ts";
import type { PhoneSettings } from "../phone-settings.ts";

type Deps = { activeSocket(): ActiveSocket | undefined; settings: Pick<PhoneSettings, "current" | "onChange"> };

/**
 * Shows the account as online while the setting `alwaysOnline` is on: the network forgets it with each connection, and
 * takes it only once it has given the account's name. Turning the setting off shows the account as away.
 */
export const keepOnline = (
  { log, channelId }: Pick<ChannelHost, "log" | "channelId">,
  { activeSocket, settings }: Deps,
): Attach => {
  let shownOn: ActiveSocket | undefined;
  const apply = async (active: ActiveSocket | undefined): Promise<void> => {
    const { alwaysOnline } = await settings.current();
    if (!active?.isCurrent() || !active.sock.authState.creds.me?.name) return;
    const isShown = shownOn === active;
    if (alwaysOnline === isShown) return;
    shownOn = alwaysOnline ? active : undefined;
    await active.sock.sendPresenceUpdate(alwaysOnline ? "available" : "unavailable");
  };
  const tryTo = (active: ActiveSocket | undefined): void => {
    apply(active).catch((thrown: unknown) => {
      if (shownOn === active) shownOn = undefined;
      log.warn({ channelId, error: reasonOf(thrown) }, "the account's presence could not be shown");
    });
  };
  settings.onChange(() => tryTo(activeSocket()));
  return (active) => {
    active.sock.ev.on("connection.update", ({ connection }) => {
      if (connection === "open") tryTo(active);
    });
    active.sock.ev.on("creds.update", ({ me }) => {
      if (me?.name) tryTo(activeSocket());
    });
  };
};
