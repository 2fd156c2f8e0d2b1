import {
  NEWSLETTER_REACTIONS,
  NEWSLETTER_ROLES,
  type Newsletter,
  type NewsletterRole,
} from "../../../src/contract/abilities/newsletters.ts";
import { recordOf } from "../../../src/kernel/texts/json.ts";
import { numberOf, timeOf } from "../outbound/mex.ts";

const INVITE_LINK = "https://whatsapp.com/channel/";
const ID = /^(\d{5,30})@newsletter$/;

/** The id of a newsletter in its address; undefined for any other value. */
export const newsletterIdIn = (jid: unknown): string | undefined =>
  typeof jid === "string" ? ID.exec(jid)?.[1] : undefined;

export const newsletterJid = (id: string): string => `${id}@newsletter`;

const textIn = (value: unknown): string => {
  const { text } = recordOf(value);
  return typeof text === "string" ? text : "";
};

const lowerOf = <Word extends string>(value: unknown, words: readonly Word[]): Word | undefined =>
  words.find((word) => typeof value === "string" && word === value.toLowerCase());

/**
 * A newsletter as the network describes it; undefined without an id. `role`: the account's, where the answer does not
 * name it.
 */
export const newsletterIn = (value: unknown, role: NewsletterRole = "guest"): Newsletter | undefined => {
  const { id, thread_metadata: thread, viewer_metadata: viewer } = recordOf(value);
  const newsletterId = newsletterIdIn(id);
  if (newsletterId === undefined) return undefined;
  const about = recordOf(thread);
  const own = recordOf(viewer);
  const { invite } = about;
  return {
    newsletterId,
    name: textIn(about["name"]),
    description: textIn(about["description"]),
    inviteLink: typeof invite === "string" && /^[\w-]{1,64}$/.test(invite) ? `${INVITE_LINK}${invite}` : null,
    role: lowerOf(own["role"], NEWSLETTER_ROLES) ?? role,
    isMuted: lowerOf(own["mute"], ["on", "off"]) === "on",
    subscriberCount: numberOf(about["subscribers_count"]) ?? null,
    isVerified: lowerOf(about["verification"], ["verified"]) !== undefined,
    reactions: lowerOf(recordOf(recordOf(about["settings"])["reaction_codes"])["value"], NEWSLETTER_REACTIONS) ?? null,
    hasPicture: typeof recordOf(about["picture"])["direct_path"] === "string",
    createdAt: timeOf(about["creation_time"]) ?? null,
  };
};
