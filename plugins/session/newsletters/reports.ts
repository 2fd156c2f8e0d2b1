import type { NewsletterChanged, NewsletterCounted } from "../../../src/contract/events.ts";
import { ownValue, recordOf } from "../../../src/kernel/texts/json.ts";
import { childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { millisecondsOf } from "../inbound/origin.ts";
import { providerMessageIdOf } from "../message-cache.ts";
import { readMex } from "../outbound/mex.ts";
import { countsIn, postsIn } from "./posts.ts";
import { newsletterIdIn, newsletterIn } from "./views.ts";

type Told = Pick<NewsletterChanged, "what" | "name" | "description">;

/** TABLE: the network's reports about the account's newsletters, by the field of their data. */
const REPORTS: Readonly<Record<string, (said: Record<string, unknown>) => Told | undefined>> = {
  xwa2_notify_newsletter_on_join: (said) => ({ what: "followed", ...namesIn(said) }),
  xwa2_notify_newsletter_on_leave: () => ({ what: "unfollowed" }),
  xwa2_notify_newsletter_on_mute_change: ({ mute }) => ({ what: mute === "ON" ? "muted" : "unmuted" }),
  xwa2_notify_newsletter_on_metadata_update: (said) => ({ what: "updated", ...namesIn(said) }),
  xwa2_notify_newsletter_on_state_change: ({ state }) =>
    recordOf(state)["type"] === "DELETED" ? { what: "deleted" } : undefined,
};

const namesIn = (said: Record<string, unknown>): Pick<Told, "name" | "description"> => {
  const { name = "", description = "" } = newsletterIn(said) ?? {};
  return { ...(name === "" ? {} : { name }), ...(description === "" ? {} : { description }) };
};

/** The events of a report of the network's GraphQL kind; empty for a report of anything else. */
export const changesIn = (stanza: Stanza): NewsletterChanged[] => {
  const { id = "", t } = stanza.attrs;
  return childrenOf(stanza)
    .filter(({ tag }) => tag === "update")
    .flatMap((update) => Object.entries(readMex(update)?.data ?? {}))
    .flatMap(([field, value]) => {
      const said = recordOf(value);
      const newsletterId = newsletterIdIn(said["id"]);
      const told = newsletterId === undefined ? undefined : ownValue(REPORTS, field)?.(said);
      if (newsletterId === undefined || !told) return [];
      return [
        {
          kind: "newsletter" as const,
          nativeId: `${newsletterId}/${id}`,
          at: millisecondsOf(t),
          newsletterId,
          ...told,
        },
      ];
    });
};

/** The events of a report about the counts of posts. */
export const countedIn = ({ attrs: { from, t }, ...stanza }: Stanza): NewsletterCounted[] => {
  const newsletterId = newsletterIdIn(from);
  if (newsletterId === undefined) return [];
  return postsIn(childOf({ attrs: {}, ...stanza }, "live_updates")).map((post) => {
    const key = providerMessageIdOf(post.attrs["id"]);
    return {
      kind: "newsletter-counts",
      at: millisecondsOf(t),
      newsletterId,
      serverId: post.attrs["server_id"] ?? "",
      ...(key === undefined ? {} : { key }),
      ...countsIn(post),
    };
  });
};
