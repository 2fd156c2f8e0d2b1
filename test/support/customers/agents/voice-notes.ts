import { QUESTION } from "../../files/speech.ts";
import type { World } from "../../world.ts";
import { type Customer, TO } from "../customer.ts";

type NoteSeed = { bytes?: Uint8Array; mimeType?: string; voice?: boolean; from?: string };

/** Lets a contact's voice note come in. Resolves to the network's id, as soon as its webhook has been answered. */
export const noteArrives = async (
  w: World,
  { phone: { phoneNumberId } }: Pick<Customer, "phone">,
  { bytes = QUESTION.bytes, mimeType = "audio/ogg; codecs=opus", voice = true, from = TO }: NoteSeed = {},
): Promise<string> => {
  const mediaId = w.graph.addMedia({ bytes, mimeType, phoneNumberId });
  const seed = { kind: "audio", to: phoneNumberId, from, mediaId, mimeType, voice } as const;
  return (await w.graph.inbound.batch([seed])).wamid;
};

/** The same, and waits for all effects. */
export const noteFrom = async (...[w, customer, seed]: Parameters<typeof noteArrives>): Promise<string> => {
  const wamid = await noteArrives(w, customer, seed);
  await w.settle();
  return wamid;
};
