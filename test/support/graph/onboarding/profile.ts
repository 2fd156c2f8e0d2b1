import { type Static, Type } from "@sinclair/typebox";
import { sha256 } from "../../../../src/kernel/crypto.ts";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { type Call, type Effect, numberOf, ok, requireProduct, SUCCESS } from "../call.ts";
import { badParameter } from "../errors.ts";
import { checked, type Fields } from "../shape.ts";
import type { PhoneNumber, State } from "../state.ts";
import { viewOf } from "../views.ts";

const VERTICALS =
  "UNDEFINED OTHER AUTO BEAUTY APPAREL EDU ENTERTAIN EVENT_PLAN FINANCE GROCERY GOVT HOTEL HEALTH NONPROFIT PROF_SERVICES RETAIL TRAVEL RESTAURANT NOT_A_BIZ";
const NAMES = ["about", "address", "description", "email", "profile_picture_url", "websites", "vertical"];

/** The writable fields. An empty text clears a field, except `about`, which cannot be empty. */
const Profile = Type.Partial(
  Type.Object({
    about: Text(1, 139),
    address: Text(0, 256),
    description: Text(0, 512),
    email: Text(0, 128),
    vertical: OneOf(["", ...VERTICALS.split(" ")]),
    websites: Type.Array(Text(1, 256), { maxItems: 2 }),
    profile_picture_handle: Text(1, 4096),
  }),
);

/** `GET /{number}/whatsapp_business_profile?fields=` */
export const getProfile = (call: Call): Effect => {
  const number = numberOf(call);
  const fields = {
    messaging_product: "whatsapp",
    ...Object.fromEntries(NAMES.map((name) => [name, number.profile[name]])),
  };
  const view = {
    ...viewOf({ type: "WhatsAppBusinessProfile", fields, shown: NAMES }, call.query),
    messaging_product: "whatsapp",
  };
  return {
    operation: "profile.get",
    phoneNumberId: call.node,
    run: () => ok({ data: [shaped(call.state, number, view)] }),
  };
};

const shaped = ({ settings }: State, { seed }: PhoneNumber, view: Fields): Fields =>
  settings.profileShape === "flat" ? view : { business_profile: view, id: seed.phoneNumberId };

/** `POST /{number}/whatsapp_business_profile`: missing fields stay. */
export const updateProfile = (call: Call): Effect => {
  const number = numberOf(call);
  requireProduct(call);
  const { profile_picture_handle: handle, ...patch } = writtenOf(call.body);
  const run = () => {
    const picture =
      handle === undefined
        ? {}
        : { profile_picture_url: `https://pps.whatsapp.net/v/t61.24694-24/${sha256(handle).slice(0, 16)}.jpg` };
    number.profile = withoutEmpty({ ...number.profile, ...patch, ...picture });
    return SUCCESS;
  };
  return { operation: "profile.update", phoneNumberId: call.node, run };
};

/** The fields of a profile among those of the body. Throws for a wrong field. */
const writtenOf = (body: Fields): Static<typeof Profile> => {
  const written = Object.fromEntries(
    Object.keys(Profile.properties).flatMap((name) => (name in body ? [[name, body[name]]] : [])),
  );
  const profile = checked(Profile, written, "profile");
  const { email, websites = [], profile_picture_handle: handle } = profile;
  if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw badParameter("Param email must be a valid email address.");
  if (websites.some((one) => !/^https?:\/\//.test(one) || !URL.canParse(one)))
    throw badParameter("Param websites must hold URLs that begin with http:// or https://.");
  if (handle !== undefined && !/^\d+:/.test(handle))
    throw badParameter("Param profile_picture_handle is not a handle of an upload.");
  return profile;
};

const isEmpty = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0);

const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
