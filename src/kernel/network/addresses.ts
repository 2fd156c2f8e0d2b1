/** The addresses under which clients reach the process. */
export type Addresses = {
  publicUrl: string;
  platformUrl: string;
  gatewayUrl: string;
  consoleUrl: string;
  /** Undefined if the API that is compatible with the Cloud API is off. */
  cloudUrl: string | undefined;
  /** Undefined if the API that is compatible with Evolution's is off. */
  evolutionUrl: string | undefined;
  /** Undefined if the API that is compatible with WAHA's is off. */
  wahaUrl: string | undefined;
};

/**
 * The addresses as configured; undefined if an address is derived from the public URL. The last three may be `on` or
 * `off`.
 */
export type ConfiguredAddresses = {
  publicUrl: string | undefined;
  platformUrl: string | undefined;
  gatewayUrl: string | undefined;
  consoleUrl: string | undefined;
  cloudUrl: string;
  evolutionUrl: string;
  wahaUrl: string;
};

/** The address of an API that can be switched on and off; `own`: its address when the setting is just `on`. */
const switched = (setting: string, own: string): string | undefined => {
  if (setting === "off") return undefined;
  return setting === "on" ? own : setting;
};

/** The addresses of a process that listens on `port`. It differs from the configured port when that is 0. */
export const addressesOf = (config: ConfiguredAddresses, port: number): Addresses => {
  const publicUrl = config.publicUrl ?? (port === 80 ? "http://localhost" : `http://localhost:${port}`);
  return {
    publicUrl,
    platformUrl: config.platformUrl ?? `${publicUrl}/platform`,
    gatewayUrl: config.gatewayUrl ?? `${publicUrl}/gateway`,
    consoleUrl: config.consoleUrl ?? `${publicUrl}/console`,
    cloudUrl: switched(config.cloudUrl, `${publicUrl}/graph`),
    evolutionUrl: switched(config.evolutionUrl, `${publicUrl}/evolution`),
    wahaUrl: switched(config.wahaUrl, `${publicUrl}/waha`),
  };
};

/** The host and path of a URL, by which the listener routes requests. The scheme does not count. */
const hostAndPathOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return host + pathname;
};

/** Paths of the public URL that the server itself answers. */
const OWN_PATHS = ["/metrics", "/pairing", "/mcp"];

/** Why these addresses cannot be used together. */
export const clashOf = ({
  publicUrl,
  platformUrl,
  gatewayUrl,
  consoleUrl,
  cloudUrl,
  evolutionUrl,
  wahaUrl,
}: Addresses): string | undefined => {
  if (hostAndPathOf(platformUrl) === hostAndPathOf(gatewayUrl))
    return "RECADO_PLATFORM_URL and RECADO_GATEWAY_URL must differ in host or path";
  const isTaken = (url: string) => [platformUrl, gatewayUrl].some((api) => hostAndPathOf(api) === hostAndPathOf(url));
  const others = [platformUrl, gatewayUrl, consoleUrl, ...OWN_PATHS.map((own) => publicUrl + own)].map(hostAndPathOf);
  const switchable = { RECADO_CLOUD_URL: cloudUrl, RECADO_EVOLUTION_URL: evolutionUrl, RECADO_WAHA_URL: wahaUrl };
  for (const [name, url] of Object.entries(switchable)) {
    if (url === undefined) continue;
    if (others.includes(hostAndPathOf(url))) return `${name} must differ from the other addresses in host or path`;
    others.push(hostAndPathOf(url));
  }
  if (isTaken(consoleUrl))
    return "RECADO_PLATFORM_URL and RECADO_GATEWAY_URL must leave the address of the console free: /console of the public URL, or RECADO_CONSOLE_URL";
  if (isTaken(`${publicUrl}/metrics`))
    return "RECADO_PLATFORM_URL and RECADO_GATEWAY_URL must leave /metrics of the public URL free";
  return OWN_PATHS.map((own) => publicUrl + own).some((url) => hostAndPathOf(url) === hostAndPathOf(consoleUrl))
    ? `RECADO_CONSOLE_URL must leave ${OWN_PATHS.join(", ")} of the public URL free`
    : undefined;
};
