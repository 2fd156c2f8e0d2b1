import type { AdapterModule, AdapterSettings } from "../contract/adapter.ts";

const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,40})?$/;
const MAX_AUTHOR_CHARS = 100;
const MAX_HOSTS = 50;
const HOST = /^(?:\*|(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])$/;

type About = Partial<Record<keyof AdapterModule, unknown>>;

const isUrl = (value: unknown): boolean =>
  typeof value === "string" && value.length <= 2048 && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

const isAuthor = (value: unknown): boolean =>
  typeof value === "string" && value.trim() !== "" && value.length <= MAX_AUTHOR_CHARS && !/\p{Cc}/u.test(value);

/** The faults of what an adapter says of itself, for who installs it. */
export const aboutFaults = ({ version, author, homepage, hosts }: About): string[] => {
  const isList = Array.isArray(hosts) && hosts.length <= MAX_HOSTS;
  const wrong = isList ? hosts.filter((host) => typeof host !== "string" || !HOST.test(host)).map(String) : [];
  return [
    ...(typeof version === "string" && VERSION.test(version) ? [] : ['version must be three numbers, such as "1.0.0"']),
    ...(author === undefined || isAuthor(author)
      ? []
      : [`author must be a text of 1 to ${MAX_AUTHOR_CHARS} characters`]),
    ...(homepage === undefined || isUrl(homepage) ? [] : ["homepage must be an http or https URL"]),
    ...(isList ? [] : [`hosts must be a list of at most ${MAX_HOSTS} hosts`]),
    ...wrong.map((host) => `hosts: ${host.slice(0, 100)} must be a host in lower case, *.host or *`),
  ];
};

/** The hosts that an adapter may ask: those that it declares, and those of the addresses that the operator has set. */
export const reachOf = (declared: readonly string[], settings: AdapterSettings): readonly string[] => [
  ...new Set([
    ...declared,
    ...Object.values(settings).flatMap((value) => (isUrl(value) ? [new URL(value).hostname] : [])),
  ]),
];
