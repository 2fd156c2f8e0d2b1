import { S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import type { BusinessProfilesApi } from "../../../src/contract/abilities/business-profiles.ts";
import type { BusinessProfile, ProfileChanges } from "../../../src/contract/abilities/onboarding.ts";
import type { PeopleApi } from "../../../src/contract/abilities/people.ts";
import { type ActiveSocket, childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { ask, Ended, failureOf, iq, node, onSocket, refusal, textIn } from "../ask.ts";
import { personAt } from "../outbound/addressing.ts";
import type { Numbers } from "../outbound/numbers.ts";
import { ownNumberJid } from "./own.ts";

type Deps = {
  activeSocket(): ActiveSocket | undefined;
  numbers: Pick<Numbers, "resolve">;
  people: Pick<PeopleApi, "profile" | "changeProfile" | "picture">;
};

const PLACE = { xmlns: "w:biz", to: S_WHATSAPP_NET };
/** The form of the question, as WhatsApp Web asks it. */
const QUESTION_VERSION = "244";
const CHANGE_VERSION = "3";

/** The business profiles of a session's account, and of those that it knows. */
export const createBusinessProfiles = ({ activeSocket, numbers, people }: Deps): BusinessProfilesApi => ({
  own: () =>
    onSocket(activeSocket(), async (active) => {
      const profile = await read(active, ownNumberJid(active));
      if (!profile) return null;
      const own = await people.profile();
      return own.ok ? { ...profile, about: own.value.about, profilePictureUrl: own.value.pictureUrl } : profile;
    }),
  change: (changes) =>
    onSocket(activeSocket(), async (active): Promise<true> => {
      const { about, ...business } = changes;
      requireOffered(business);
      if (Object.keys(business).length > 0) await change(active, business);
      if (about === undefined) return true;
      const changed = await people.changeProfile({ about });
      if (!changed.ok) throw new Ended(changed);
      return true;
    }),
  of: (to) =>
    onSocket(activeSocket(), async (active) => {
      const found = await numbers.resolve(active, to);
      if (!found.ok) throw new Ended(refusal(found.reason));
      const { pn } = await personAt(active.keyStore, found);
      const profile = await read(active, pn === undefined ? found.jid : `${pn}@s.whatsapp.net`);
      if (!profile) return null;
      const picture = await people.picture(to);
      return picture.ok ? { ...profile, profilePictureUrl: picture.value.url } : profile;
    }),
});

/** The parts that an account's own app changes alone. */
const requireOffered = ({ vertical, profilePictureHandle }: ProfileChanges): void => {
  if (vertical !== undefined) throw new Ended(refusal("the line of business is changed on the phone"));
  if (profilePictureHandle !== undefined)
    throw new Ended(refusal("the picture of a session is changed with its profile, not by a handle"));
};

const read = async ({ sock }: ActiveSocket, jid: string): Promise<BusinessProfile | null> => {
  const question = node("business_profile", { v: QUESTION_VERSION }, [node("profile", { jid })]);
  const answer = await answerTo(() => ask(sock, iq("get", PLACE, [question])));
  const profile = childOf(childOf(answer, "business_profile"), "profile");
  return profile ? profileOf(profile) : null;
};

/** An account that is no business has no profile: some answers say so by an error. */
const answerTo = async (question: () => Promise<Stanza>): Promise<Stanza | undefined> => {
  try {
    return await question();
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure.kind === "refused" && failure.error.code === 404) return undefined;
    throw thrown;
  }
};

const profileOf = (profile: Stanza): BusinessProfile => {
  const text = (tag: string): string | null => textIn(childOf(profile, tag)) || null;
  const websites = childrenOf(profile).filter(({ tag }) => tag === "website");
  return {
    about: null,
    address: text("address"),
    description: text("description"),
    email: text("email"),
    vertical: textIn(childOf(childOf(profile, "categories"), "category")) || null,
    websites: websites.map(textIn).filter((website) => website !== ""),
    profilePictureUrl: null,
  };
};

const change = async (
  { sock }: ActiveSocket,
  { address, description, email, websites }: Omit<ProfileChanges, "about">,
): Promise<void> => {
  const texts = Object.entries({ address, description, email }).flatMap(([tag, text]) =>
    text === undefined ? [] : [node(tag, {}, Buffer.from(text))],
  );
  const pages = (websites ?? []).map((website) => node("website", {}, Buffer.from(website)));
  const removed = websites?.length === 0 ? [node("website")] : [];
  const changed = node("business_profile", { v: CHANGE_VERSION, mutation_type: "delta" }, [
    ...texts,
    ...pages,
    ...removed,
  ]);
  await ask(sock, iq("set", PLACE, [changed]));
};
