import { command, EXIT } from "./command.ts";
import { URL_FLAG } from "./remote.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

/** Lists the last events of the account whose key is set, or prints them as they happen. */
export const eventsCommand = command(
  {
    name: "events",
    about: "list the account's last events, oldest first, or follow them as they happen",
    flags: {
      follow: { about: "print events as they happen, until Ctrl+C" },
      phone: { value: "ID", about: "only the events of this phone" },
      type: { value: "TYPE", isList: true, about: "only events of this type; may be given up to ten times" },
      since: { value: "TIME", about: "only later events: a time such as 2026-11-22T09:00Z, or 15m, 2h, 3d ago" },
      limit: { value: "N", about: `how many earlier events at most, up to ${MAX_LIMIT}; default: ${DEFAULT_LIMIT}` },
      url: URL_FLAG,
      json: { about: "print JSON, a line for each event" },
    },
  },
  async (context, { flags: { follow, phone, type, since, limit = `${DEFAULT_LIMIT}`, url, json } }) => {
    if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > MAX_LIMIT) {
      context.err(`recado events: --limit must be 1 to ${MAX_LIMIT}`);
      return EXIT.usage;
    }
    const { showEvents } = await import("./client/events.ts");
    return showEvents(context, { isFollowing: follow, phone, types: type, since, limit: Number(limit), url, json });
  },
);
