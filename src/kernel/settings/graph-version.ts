/** The newest version of Meta's Graph API that Recado was read against. The APIs of WhatsApp, Instagram and Messenger share it. */
export const NEWEST_GRAPH = "v27.0";
