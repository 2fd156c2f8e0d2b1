import { type Json, listOf, recordOf } from "../../../kernel/texts/json.ts";
import { CLOUD_PROFILES, type CloudProfile } from "../../shared/cloud-programs.ts";
import { unsupported } from "./content.ts";
import { asciiJson } from "./envelope.ts";

/** A message that a program refuses or fails at. */
type Refuses = (message: Json) => boolean;

const FILES = ["image", "video", "audio", "document", "sticker"];
const CHATWOOT = [...FILES, "text", "button", "interactive", "location", "contacts", "reaction", "unsupported"];
const TYPEBOT = [...CHATWOOT, "system"];
const TYPEBOT_REPLIES: readonly unknown[] = ["button_reply", "list_reply"];

/**
 * TABLE: the messages that a program cannot read. Chatwoot takes any other type for a file. Typebot refuses the whole
 * body with 400, also for replies other than a choice.
 */
const REFUSES: Readonly<Record<CloudProfile, Refuses | undefined>> = {
  generic: undefined,
  chatwoot: ({ type }) => !CHATWOOT.includes(String(type)),
  typebot: ({ type, interactive }) =>
    !TYPEBOT.includes(String(type)) ||
    (type === "interactive" && !TYPEBOT_REPLIES.includes(recordOf(interactive)["type"])),
};

const isProfile = (name: string | null): name is CloudProfile => CLOUD_PROFILES.some((profile) => profile === name);

/** The fields that a message keeps if its reader does not know its type. */
const COMMON = ["context", "referral", "from", "from_user_id", "to", "to_user_id", "id", "timestamp"];

const withoutType = (message: Json, details: string): Json => ({
  ...Object.fromEntries(Object.entries(message).filter(([name]) => COMMON.includes(name))),
  ...unsupported(details, String(message["type"])),
});

/** The body with its messages changed; the same text if none changes. */
const changed = (body: string, change: (message: Json) => Json): string => {
  const parsed = recordOf(JSON.parse(body));
  const entries = listOf(parsed["entry"]).map((one) => {
    const entry = recordOf(one);
    return { ...entry, changes: listOf(entry["changes"]).map((each) => withMessages(recordOf(each), change)) };
  });
  return asciiJson({ ...parsed, entry: entries });
};

const withMessages = (one: Json, change: (message: Json) => Json): Json => {
  const value = recordOf(one["value"]);
  const lists = ["messages", "message_echoes"].filter((name) => name in value);
  const anew = lists.map((name) => [name, listOf(value[name]).map((message) => change(recordOf(message)))] as const);
  return { ...one, value: { ...value, ...Object.fromEntries(anew) } };
};

/** The body as a program can read it. A message of an unknown type becomes `unsupported`. */
export const adapted = (body: string, profile: string | null): string => {
  const refuses = REFUSES[isProfile(profile) ? profile : "generic"];
  if (refuses === undefined) return body;
  return changed(body, (message) =>
    refuses(message) ? withoutType(message, "The program that gets this does not know this type.") : message,
  );
};

/** A shorter body for a body that is too large. */
export const cutBody = (body: string): string =>
  changed(body, (message) => withoutType(message, `The message is too large: ${Buffer.byteLength(body)} bytes.`));
