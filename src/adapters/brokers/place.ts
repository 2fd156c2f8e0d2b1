import { hostnameOf } from "../http/addresses.ts";
import type { Broker } from "./broker.ts";

/**
 * A broker as the URL of a webhook names it. `host` is as in URLs, with the brackets of IPv6. `path` is without its
 * first slash.
 */
export type BrokerPlace = {
  isTls: boolean;
  host: string;
  /** The name or address alone. */
  hostname: string;
  port: number;
  user: string;
  password: string;
  path: string;
  options: Readonly<Record<string, string>>;
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** The parameters by their names; undefined for an unknown or repeated parameter. */
const optionsOf = ({ searchParams }: URL, names: readonly string[]): Record<string, string> | undefined => {
  const given = [...searchParams];
  const isKnown = given.every(([name]) => names.includes(name));
  return isKnown && new Set(given.map(([name]) => name)).size === given.length ? Object.fromEntries(given) : undefined;
};

/** Reads a URL of this broker; undefined for a URL of another form. */
export const toBrokerPlace = (text: string, broker: Broker): BrokerPlace | undefined => {
  const url = URL.parse(text);
  // parsers check only the host of an http URL
  const checked = url && URL.parse(`http://${url.hostname}/`);
  const options = url && optionsOf(url, broker.options);
  if (!url || !checked || !options || url.hash !== "" || url.hostname === "" || url.port === "0") return undefined;
  const isTls = url.protocol === broker.tls.scheme;
  const [user, password, path] = [url.username, url.password, url.pathname.replace(/^\//, "")].map(decoded);
  if (user === undefined || password === undefined || path === undefined) return undefined;
  return {
    isTls,
    host: checked.host,
    hostname: hostnameOf(checked),
    port: Number(url.port) || broker[isTls ? "tls" : "plain"].port,
    user,
    password,
    path,
    options,
  };
};
