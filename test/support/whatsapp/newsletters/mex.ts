import type { Account, Network } from "../model.ts";
import type { Linked } from "../people/linked.ts";
import { addNewsletter, mayWrite, type Newsletter, notify, roleOf } from "./model.ts";

type Variables = Record<string, unknown>;
/** What the network answers: the data of the field, or the code of an error. */
type Said = { field: string; value: unknown } | { error: number };
type Question = (network: Network, account: Account, variables: Variables) => Said;

const recordOf = (value: unknown): Variables =>
  typeof value === "object" && value !== null ? (value as Variables) : {};

const metadataOf = (newsletter: Newsletter, account?: Account): object => {
  const { jid, name, description, invite, createdAt, followers, picture, reactions, isVerified } = newsletter;
  const text = (value: string) => ({ text: value, id: "1", update_time: "1795000000000000" });
  return {
    id: jid,
    state: { type: "ACTIVE" },
    thread_metadata: {
      creation_time: String(createdAt),
      name: text(name),
      description: text(description),
      invite,
      subscribers_count: String(followers.size),
      verification: isVerified ? "VERIFIED" : "UNVERIFIED",
      picture: picture ? { id: "1", type: "IMAGE", direct_path: "/m1/v/t24/picture" } : null,
      preview: { id: "", type: "PREVIEW", direct_path: "" },
      settings: { reaction_codes: { value: reactions } },
    },
    viewer_metadata: account
      ? { role: roleOf(newsletter, account), mute: newsletter.muted.has(account) ? "ON" : "OFF" }
      : null,
  };
};

const lacks = (variables: Variables, ...names: string[]): boolean => names.some((name) => !(name in variables));

const named = (network: Network, { newsletter_id: id }: Variables): Newsletter | undefined =>
  typeof id === "string" ? network.newsletters.get(id) : undefined;

/** A question about one newsletter that exists. */
const about =
  (
    field: string,
    act: (network: Network, account: Account, of: Newsletter, variables: Variables) => Said | object,
  ): Question =>
  (network, account, variables) => {
    const newsletter = named(network, variables);
    if (!newsletter) return { error: 404 };
    const said = act(network, account, newsletter, variables);
    return "error" in said ? said : { field, value: said };
  };

const isJpeg = (base64: unknown): boolean =>
  typeof base64 === "string" &&
  Buffer.from(base64, "base64")
    .subarray(0, 2)
    .equals(Buffer.from([0xff, 0xd8]));

const REACTIONS = ["ALL", "BASIC", "NONE"] as const;

/** The code with which the network refuses changes. */
const faultIn = ({ name, picture }: Variables, reactions: unknown): number | undefined => {
  if (name !== undefined && (typeof name !== "string" || name === "" || name.length > 100)) return 406;
  if (typeof picture === "string" && picture !== "" && !isJpeg(picture)) return 406;
  return reactions === undefined || REACTIONS.some((one) => one === reactions) ? undefined : 400;
};

const update = about("xwa2_newsletter_update", (network, account, newsletter, { updates }) => {
  if (!mayWrite(newsletter, account)) return { error: 403 };
  const changes = recordOf(updates);
  const { name, description, picture, settings } = changes;
  const { value } = recordOf(recordOf(settings)["reaction_codes"]);
  const fault = faultIn(changes, value);
  if (fault !== undefined) return { error: fault };
  if (typeof name === "string") newsletter.name = name;
  if (typeof description === "string") newsletter.description = description;
  if (typeof picture === "string") newsletter.picture = picture === "" ? undefined : Buffer.from(picture, "base64");
  newsletter.reactions = REACTIONS.find((one) => one === value) ?? newsletter.reactions;
  notify(network, account, [
    "NotificationNewsletterUpdate",
    "xwa2_notify_newsletter_on_metadata_update",
    metadataOf(newsletter, account),
  ]);
  return metadataOf(newsletter);
});

/** TABLE: the questions about newsletters, by number. The network wants every variable of the first two. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  "25399611239711790": (network, account, variables) =>
    lacks(variables, "fetch_status_metadata", "fetch_wamo_sub")
      ? { error: 400 }
      : {
          field: "xwa2_newsletter_subscribed",
          value: [...network.newsletters.values()]
            .filter((one) => roleOf(one, account) !== "GUEST")
            .map((one) => metadataOf(one, account)),
        },
  "27456920720571478": (network, account, variables) => {
    const wanted = ["creation_time", "full_image", "pinned_messages", "status_metadata", "viewer_metadata", "wamo_sub"];
    if (lacks(variables, "input", ...wanted.map((name) => `fetch_${name}`))) return { error: 400 };
    const { key, type } = recordOf(variables["input"]);
    const found = [...network.newsletters.values()].find(
      ({ jid, invite }) => key === (type === "INVITE" ? invite : jid),
    );
    return { field: "xwa2_newsletter", value: found ? metadataOf(found, account) : null };
  },
  "8823471724422422": (network, account, { input }) => {
    const { name, description } = recordOf(input);
    if (typeof name !== "string" || name === "" || name.length > 100) return { error: 406 };
    const made = addNewsletter(network, {
      owner: account,
      name,
      ...(typeof description === "string" ? { description } : {}),
    });
    // one that was just made has no picture, where some clients expect one
    return { field: "xwa2_newsletter_create", value: metadataOf(made, account) };
  },
  "24250201037901610": update,
  "30062808666639665": about("xwa2_newsletter_delete_v2", (network, account, newsletter) => {
    if (newsletter.owner !== account) return { error: 403 };
    network.newsletters.delete(newsletter.jid);
    const said = { id: newsletter.jid, state: { type: "DELETED" } };
    for (const one of new Set([account, ...newsletter.followers]))
      notify(network, one, ["NotificationNewsletterStateChange", "xwa2_notify_newsletter_on_state_change", said]);
    return said;
  }),
  "24404358912487870": about("xwa2_newsletter_join_v2", (network, account, newsletter) => {
    newsletter.followers.add(account);
    const said = metadataOf(newsletter, account);
    notify(network, account, ["NotificationNewsletterJoin", "xwa2_notify_newsletter_on_join", said]);
    return said;
  }),
  "9767147403369991": about("xwa2_newsletter_leave_v2", (network, account, newsletter) => {
    if (newsletter.owner === account) return { error: 403 };
    newsletter.followers.delete(account);
    const said = { id: newsletter.jid, role: "GUEST" };
    notify(network, account, ["NotificationNewsletterLeave", "xwa2_notify_newsletter_on_leave", said]);
    return said;
  }),
  "29766401636284406": about("xwa2_newsletter_mute_v2", (network, account, newsletter) =>
    muted(network, account, newsletter, true),
  ),
  "9864994326891137": about("xwa2_newsletter_unmute_v2", (network, account, newsletter) =>
    muted(network, account, newsletter, false),
  ),
};

const muted = (network: Network, account: Account, newsletter: Newsletter, isMuted: boolean): Said | object => {
  if (roleOf(newsletter, account) === "GUEST") return { error: 403 };
  newsletter.muted[isMuted ? "add" : "delete"](account);
  const said = { id: newsletter.jid, mute: isMuted ? "ON" : "OFF" };
  notify(network, account, ["NotificationNewsletterUserSettingChange", "xwa2_notify_newsletter_on_mute_change", said]);
  return said;
};

/** The JSON with which the network answers a question about newsletters; undefined for another question. */
export const answerNewsletterQuestion = (
  network: Network,
  { account }: Linked,
  queryId: string,
  text: string,
): object | undefined => {
  const question = QUESTIONS[queryId];
  if (!question) return undefined;
  const said = question(network, account, recordOf((JSON.parse(text) as Variables)["variables"]));
  if (!("error" in said)) return { data: { [said.field]: said.value } };
  return { data: null, errors: [{ message: "refused", extensions: { error_code: said.error, severity: "CRITICAL" } }] };
};
