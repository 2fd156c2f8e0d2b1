import { Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../src/kernel/schema.ts";
import { accountOf, type Call, type Effect, json } from "./call.ts";
import { invalid } from "./errors.ts";
import { MESSAGES } from "./seeds.ts";
import { checked } from "./shape.ts";

const strict = { additionalProperties: false } as const;
const FIELDS = ["ice_breakers", "persistent_menu"] as const;
const PostBack = Type.Object({ question: Text(1, 80), payload: Text(1, 1000) }, strict);
const Item = Type.Union([
  Type.Object({ type: OneOf(["postback"]), title: Text(1, 30), payload: Text(1, 1000) }, strict),
  Type.Object({ type: OneOf(["web_url"]), title: Text(1, 30), url: Text(1, 2048) }, strict),
]);
const listOf = (of: typeof PostBack | typeof Item, maxItems: number) =>
  Type.Array(Type.Object({ call_to_actions: Type.Array(of, { minItems: 1, maxItems }), locale: Text(1, 20) }, strict));
const Platform = OneOf(["instagram"]);
const Written = Type.Object(
  {
    platform: Platform,
    ice_breakers: Type.Optional(listOf(PostBack, 4)),
    persistent_menu: Type.Optional(listOf(Item, 5)),
  },
  strict,
);
const Cleared = Type.Object({ platform: Platform, fields: Type.Array(OneOf(FIELDS), { minItems: 1 }) }, strict);

const effectOf = (call: Call, operation: Effect["operation"], run: (igUserId: string) => object): Effect => {
  const { igUserId } = accountOf(call, MESSAGES).seed;
  return { operation, igUserId, run: () => json(run(igUserId)) };
};

/** `GET /{account}/messenger_profile?fields=&platform=instagram` */
export const getProfile = (call: Call): Effect => {
  if (call.query.get("platform") !== "instagram") throw invalid("The parameter platform is required.");
  const asked = (call.query.get("fields") ?? "").split(",");
  return effectOf(call, "profile.get", (igUserId) => {
    const found = asked.flatMap((field) => {
      const value = call.state.profiles.get(`${igUserId}:${field}`);
      return value === undefined ? [] : [[field, value] as const];
    });
    return { data: found.length === 0 ? [] : [Object.fromEntries(found)] };
  });
};

/** `POST /{account}/messenger_profile`: each list needs the language `default`. */
export const putProfile = (call: Call): Effect => {
  const { platform: _platform, ...written } = checked(Written, call.body, "");
  for (const [field, list] of Object.entries(written))
    if (!list.some(({ locale }) => locale === "default")) throw invalid(`Param ${field} needs the locale default.`);
  return effectOf(call, "profile.put", (igUserId) => {
    for (const [field, value] of Object.entries(written)) call.state.profiles.set(`${igUserId}:${field}`, value);
    return { result: "success" };
  });
};

/** `DELETE /{account}/messenger_profile` */
export const clearProfile = (call: Call): Effect => {
  const { fields } = checked(Cleared, call.body, "");
  return effectOf(call, "profile.clear", (igUserId) => {
    for (const field of fields) call.state.profiles.delete(`${igUserId}:${field}`);
    return { result: "success" };
  });
};
