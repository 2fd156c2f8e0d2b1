// The parts that the API that is compatible with the Cloud API shares with the gateway's settings for it.

/** The name of the audience of events. */
export const CLOUD = "cloud";

/** The programs behind a webhook whose needs are known. `generic`: any other program. */
export const CLOUD_PROFILES = ["generic", "chatwoot", "typebot"] as const;
export type CloudProfile = (typeof CLOUD_PROFILES)[number];

/** TABLE: the paths by which the programs take webhooks. */
const PATHS: readonly (readonly [path: RegExp, profile: CloudProfile])[] = [
  [/\/webhooks\/whatsapp(?:\/|$)/, "chatwoot"],
  [/\/workspaces\/[^/]+\/whatsapp\/[^/]+\/webhook$/, "typebot"],
];

/** The program that an address looks like. */
export const cloudProfileOf = (url: string): CloudProfile => {
  const taker = URL.parse(url)?.pathname ?? "";
  return PATHS.find(([pattern]) => pattern.test(taker))?.[1] ?? "generic";
};
