import type { EntriesApi, EntryApi, IceBreakers, Menu } from "../../src/contract/abilities/entries.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { UpstreamResult } from "../../src/contract/upstream.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { type Graph, type GraphCall, isSuccess } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import { FAILURE_WITHOUT, readCredentials } from "./credentials.ts";
import { upstreamResult } from "./errors.ts";

/** The place of an entry in the account's profile, and its writer and reader. */
type Form<Entry> = { field: string; bodyOf(entry: Entry): Json[]; in(list: readonly Json[]): Entry };

const ICE_BREAKERS: Form<IceBreakers> = {
  field: "ice_breakers",
  bodyOf: (entry) => entry.map(({ locale, questions }) => ({ call_to_actions: questions, locale })),
  in: (list) =>
    list.map((one) => ({
      locale: textOf(one["locale"]) ?? "default",
      questions: listOf(one["call_to_actions"])
        .map(recordOf)
        .map(({ question, payload }) => ({ question: textOf(question) ?? "", payload: textOf(payload) ?? "" })),
    })),
};

const MENU: Form<Menu> = {
  field: "persistent_menu",
  bodyOf: (entry) => entry.map(({ locale, items }) => ({ locale, call_to_actions: items })),
  in: (list) =>
    list.map((one) => ({
      locale: textOf(one["locale"]) ?? "default",
      items: listOf(one["call_to_actions"]).map(recordOf).map(itemIn),
    })),
};

const itemIn = (item: Json): Menu[number]["items"][number] => {
  const title = textOf(item["title"]) ?? "";
  return item["type"] === "web_url"
    ? { type: "web_url", title, url: textOf(item["url"]) ?? "" }
    : { type: "postback", title, payload: textOf(item["payload"]) ?? "" };
};

/** The questions and the menu of an account. `newGraph` is called for each request. */
export const socialEntries = (host: ChannelHost, newGraph: () => Graph): EntriesApi => {
  const ask = async <T>(
    call: Omit<GraphCall, "path" | "token">,
    read: (json: Json) => T | undefined,
  ): Promise<UpstreamResult<T>> => {
    const graph = newGraph();
    const credentials = await readCredentials(host);
    if (typeof credentials === "string")
      return { ok: false, kind: "credentials", reason: FAILURE_WITHOUT[credentials].reason };
    const { igUserId, accessToken: token } = credentials;
    return upstreamResult(await graph({ ...call, path: [igUserId, "messenger_profile"], token }), read);
  };
  const entryOf = <Entry>(form: Form<Entry>): EntryApi<Entry> => ({
    read: () =>
      ask({ method: "GET", fields: [form.field], query: { platform: PLATFORM } }, (json) =>
        form.in(listOf(recordOf(listOf(json["data"])[0])[form.field]).map(recordOf)),
      ),
    write: (entry) => ask({ method: "POST", body: { platform: PLATFORM, [form.field]: form.bodyOf(entry) } }, isDone),
    clear: () => ask({ method: "DELETE", body: { platform: PLATFORM, fields: [form.field] } }, isDone),
  });
  return { iceBreakers: entryOf(ICE_BREAKERS), menu: entryOf(MENU) };
};

const PLATFORM = "instagram";

/** Some answers say `result: "success"`. */
const isDone = (json: Json): true | undefined => isSuccess(json) ?? (json["result"] === "success" ? true : undefined);
