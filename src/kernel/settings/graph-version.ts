/** The newest version of Meta's Graph API that Recado was read against. WhatsApp's and Instagram's APIs share it. */
export const NEWEST_GRAPH = "v27.0";
