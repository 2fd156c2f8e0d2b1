import type {
  BusinessApi,
  BusinessProfile,
  NameChange,
  ProfileChanges,
  SyncKind,
} from "../../src/contract/abilities/onboarding.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { type Graph, isSuccess } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import { askerOf, withCredentials } from "./credentials.ts";
import { upstreamResult } from "./errors.ts";
import { connectedAs, readNumber } from "./number.ts";

const PROFILE_FIELDS = ["about", "address", "description", "email", "profile_picture_url", "websites", "vertical"];
const NAME_FIELDS = ["verified_name", "name_status", "new_display_name", "new_name_status"];
const SYNC_TYPES: Record<SyncKind, string> = { contacts: "smb_app_state_sync", history: "history" };

/** The profile of a number that its owner may change. */
export const wabaBusiness = (host: ChannelHost, graph: Graph): BusinessApi => {
  const ask = askerOf(host, graph);

  return {
    checkToken: (token) =>
      withCredentials(host, async ({ phoneNumberId }) =>
        upstreamResult(await readNumber(graph, phoneNumberId, token), (number) =>
          textOf(number["id"]) === undefined ? undefined : connectedAs(number),
        ),
      ),
    profile: () =>
      ask(
        ({ phoneNumberId }) => ({
          method: "GET",
          path: [phoneNumberId, "whatsapp_business_profile"],
          fields: PROFILE_FIELDS,
        }),
        profileIn,
      ),
    changeProfile: (changes) =>
      ask(
        ({ phoneNumberId }) => ({
          method: "POST",
          path: [phoneNumberId, "whatsapp_business_profile"],
          body: changesBody(changes),
        }),
        isSuccess,
      ),
    requestName: (displayName) =>
      ask(
        ({ phoneNumberId }) => ({ method: "POST", path: [phoneNumberId], query: { new_display_name: displayName } }),
        isSuccess,
      ),
    nameChange: () =>
      ask(({ phoneNumberId }) => ({ method: "GET", path: [phoneNumberId], fields: NAME_FIELDS }), nameChangeIn),
    requestSync: (what) =>
      ask(
        ({ phoneNumberId }) => ({
          method: "POST",
          path: [phoneNumberId, "smb_app_data"],
          body: { messaging_product: "whatsapp", sync_type: SYNC_TYPES[what] },
        }),
        (json) => textOf(json["request_id"]),
      ),
  };
};

const changesBody = ({ profilePictureHandle, websites, ...texts }: ProfileChanges): Json => ({
  messaging_product: "whatsapp",
  ...texts,
  ...(websites === undefined ? {} : { websites: [...websites] }),
  ...(profilePictureHandle === undefined ? {} : { profile_picture_handle: profilePictureHandle }),
});

/** Flat in most of the documents, one level deeper in another. */
const profileIn = (json: Json): BusinessProfile => {
  const outer = recordOf(listOf(json["data"])[0]);
  const profile = outer["business_profile"] === undefined ? outer : recordOf(outer["business_profile"]);
  const text = (name: string): string | null => textOf(profile[name]) ?? null;
  return {
    about: text("about"),
    address: text("address"),
    description: text("description"),
    email: text("email"),
    vertical: text("vertical"),
    websites: listOf(profile["websites"]).flatMap((site) => textOf(site) ?? []),
    profilePictureUrl: text("profile_picture_url"),
  };
};

const NAME_STATE: Record<string, NameChange["status"]> = {
  APPROVED: "APPROVED",
  AVAILABLE_WITHOUT_REVIEW: "APPROVED",
  PENDING_REVIEW: "PENDING",
  DECLINED: "REJECTED",
  EXPIRED: "REJECTED",
};

const nameChangeIn = (json: Json): NameChange => {
  const requestedName = textOf(json["new_display_name"]) ?? null;
  const status = textOf(json["new_name_status"]) ?? "NONE";
  return { displayName: textOf(json["verified_name"]) ?? null, requestedName, status: NAME_STATE[status] ?? "NONE" };
};
