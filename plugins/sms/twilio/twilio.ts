import type { Provider } from "../provider.ts";
import { check, forget, send } from "./calls.ts";
import { twilioEvents } from "./inbound.ts";
import { open } from "./media.ts";
import { isSigned, verify } from "./signature.ts";

/** Twilio, and providers with its API: forms, signed by the account's token. */
export const twilio: Provider = { check, send, forget, open, isSigned, verify, eventsOf: twilioEvents };
