import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isIP, isIPv4 } from "node:net";
import { resolve } from "node:path";
import { DAY_MS } from "../clock.ts";
import { isNetwork } from "../network/networks.ts";
import { isPixText, pixKeyIn } from "../numbers/brazil.ts";
import { withoutTrailing } from "../texts/texts.ts";
import { estimatedBits } from "../token-strength.ts";

/**
 * The form of a setting's value. `parse` gives undefined for an invalid text. The fault then says "must be <form>" and
 * never repeats the text, which may be a secret.
 */
export type Kind<T> = { form: string; parse(text: string): T | undefined };

const kind = <T>(form: string, parse: (text: string) => T | undefined): Kind<T> => ({ form, parse });

const matching = (form: string, pattern: RegExp): Kind<string> =>
  kind(form, (text) => (pattern.test(text) ? text : undefined));

/** Any text. */
export const text: Kind<string> = kind("a text", (value) => value);

/** A token that a client can send in a header: visible ASCII, without spaces. */
export const headerToken: Kind<string> = matching("visible ASCII characters without spaces", /^[\x21-\x7e]+$/);

/** Enough bits against guessing. */
const UNGUESSABLE_BITS = 128;

/** A header token that is long and random enough against guessing. */
export const strongToken: Kind<string> = kind(
  "visible ASCII characters without spaces that nobody can guess, such as openssl rand -base64 24 makes",
  (value) => (headerToken.parse(value) !== undefined && estimatedBits(value) >= UNGUESSABLE_BITS ? value : undefined),
);

/** The name of a header. */
export const headerName: Kind<string> = matching(
  "a header's name such as X-Client-Name",
  /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
);

/** A version of Meta's Embedded Signup. */
export const signupVersion: Kind<string> = matching("a version such as v4", /^v\d(-public-preview)?$/);

/** A version in the Graph API's form. */
export const graphVersion: Kind<string> = matching("a version such as v27.0", /^v\d{1,3}\.\d{1,3}$/);

/** The sender of mails, with or without a display name. */
export const mailAddress: Kind<string> = matching(
  "a mail address such as billing@example.com or Recado <billing@example.com>",
  /^([^<>@]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
);

/** One of the given words. */
export const oneOf = <const Words extends readonly string[]>(...words: Words): Kind<Words[number]> =>
  kind(words.length === 1 ? `${words[0]} or unset` : `one of ${words.join(", ")}`, (value): Words[number] | undefined =>
    words.find((word) => word === value),
  );

/** A whole number from `min` to `max`, of the named unit. */
export const wholeNumber = (unit: string, min: number, max: number): Kind<number> =>
  kind(`a whole number of ${unit} from ${min} to ${max}`, (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  });

/** A comma list. Blanks around parts and empty parts are dropped; an empty list is refused. */
export const commaList = <T>(plural: string, part: Kind<T>): Kind<readonly T[]> =>
  kind(`a comma list of ${plural}`, (value) => {
    const texts = value.split(",").flatMap((one) => one.trim() || []);
    const parts = texts.flatMap((one) => part.parse(one) ?? []);
    return texts.length > 0 && parts.length === texts.length ? parts : undefined;
  });

/** A comma list of `name=number` pairs with these names, each at most once. Blanks around parts are dropped. */
export const numbersOf = <const Names extends readonly string[]>(
  ...names: Names
): Kind<Partial<Record<Names[number], number>>> =>
  kind(`a comma list of name=number with the names ${names.join(", ")}`, (value) => {
    const pairs = value.split(",").map((one) => /^([a-z-]+)=(\d{1,15})$/.exec(one.trim()));
    const given = new Map(pairs.map((pair) => [pair?.[1] ?? "", Number(pair?.[2])]));
    if (given.size < pairs.length || ![...given.keys()].every((name) => names.includes(name))) return undefined;
    return Object.fromEntries(given) as Partial<Record<Names[number], number>>;
  });

/** A path, made absolute from the working directory. */
export const path: Kind<string> = kind("a path", (value) => (value.includes("\0") ? undefined : resolve(value)));

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})?(\.[a-z0-9_][a-z0-9_-]{0,62})*$/i;

/** An address, or a range of addresses. */
export const addressRange: Kind<string> = kind("an address or a CIDR", (value) =>
  isNetwork(value) ? value.toLowerCase() : undefined,
);

/** A host name, an address, or a range of addresses; in lower case. */
export const hostOrRange: Kind<string> = kind("a host, an address or a CIDR", (value) =>
  isNetwork(value) || isHostName(value) ? value.toLowerCase() : undefined,
);

// URL parsers read a name with a numeric end as an address, so one that isIP refused is a broken address
const isHostName = (value: string): boolean => HOST_NAME.test(value) && !/(^|\.)\d+$/.test(value);

export type ListenAddress = { host: string; port: number };

/** `host:port`, with an IPv6 address in brackets. Port 0 means any free port. The host has no brackets. */
export const listenAddress: Kind<ListenAddress> = kind(
  "an address and port such as 127.0.0.1:8080 or [::1]:8080",
  (value) => {
    const [, bracketed, bare, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(value) ?? [];
    const port = Number(digits);
    if (!(port <= 65_535)) return undefined;
    if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : undefined;
    return bare !== undefined && (isIPv4(bare) || isHostName(bare)) ? { host: bare, port } : undefined;
  },
);

const plainUrl = (value: string, protocols: readonly string[]): string | undefined => {
  if (!/^[a-z]+:\/\/[^/?#]/i.test(value) || !URL.canParse(value)) return undefined;
  const { protocol, host, pathname, username, password, search, hash } = new URL(value);
  if (!protocols.includes(protocol) || [username, password, search, hash].some((part) => part !== "")) return undefined;
  return withoutTrailing(`${protocol}//${host}${pathname}`, "/");
};

/** An absolute http(s) URL without credentials, query and fragment. Trailing slashes are dropped. */
export const httpUrl: Kind<string> = kind(
  "an absolute http:// or https:// URL without credentials and query",
  (value) => plainUrl(value, ["http:", "https:"]),
);

/** `on`, `off`, or an address as above. */
export const switchOrUrl: Kind<string> = kind("on, off, or an absolute http:// or https:// URL", (value) =>
  value === "on" || value === "off" ? value : plainUrl(value, ["http:", "https:"]),
);

/** An http(s) URL without credentials and query, or `off`. */
export const urlOrOff: Kind<string> = kind(
  "off, or an absolute http:// or https:// URL without credentials and query",
  (value) => (value === "off" ? value : plainUrl(value, ["http:", "https:"])),
);

/** The origin of a web page as browsers send it, in lower case; or `*`, which stands for any. */
export const originOrAny: Kind<string> = kind("an origin such as https://app.example.com, or *", (value) => {
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  if (value === "*") return value;
  return url !== null && url.origin === value.toLowerCase() ? url.origin : undefined;
});

/** An absolute ws(s) URL, with the same rules. */
export const webSocketUrl: Kind<string> = kind(
  "an absolute ws:// or wss:// URL without credentials and query",
  (value) => plainUrl(value, ["ws:", "wss:"]),
);

/** Version 2.3000.n of a client; its value is n. */
export const clientVersion: Kind<number> = kind("a version such as 2.3000.1049833609", (value) => {
  const [, number] = /^2\.3000\.(\d{1,12})$/.exec(value) ?? [];
  return number === undefined ? undefined : Number(number);
});

/** A file, as a path or a `file:` URL, or an http(s) URL without credentials. A path becomes absolute. */
export const fileOrUrl: Kind<string> = kind(
  "a path, or a file:, http:// or https:// URL without credentials",
  (value) => {
    if (value.startsWith("file:")) return filePath(value);
    if (!/^[a-z]+:/i.test(value)) return path.parse(value);
    const url = URL.parse(value);
    const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
    return isWeb ? url.href : undefined;
  },
);

/** An http(s) URL to post to, whose path or query may be secret. */
export const postUrl: Kind<string> = kind("an http:// or https:// URL without credentials", (value) => {
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  return url !== null && url.username === "" && url.password === "" ? url.href : undefined;
});

/** The token of a Telegram bot and the chat that it writes to. */
export const telegramChat: Kind<{ token: string; chat: string }> = kind(
  "<bot token>@<chat id>, such as 123456:ABC…@-1001234",
  (value) => {
    const [, token, chat] = /^(\d{1,20}:[\w-]{20,100})@(-?\d{1,20}|@\w{4,64})$/.exec(value) ?? [];
    return token === undefined || chat === undefined ? undefined : { token, chat };
  },
);

/** The URL of a mail server, which may have credentials and options. */
export const smtpUrl: Kind<string> = kind("an smtp:// or smtps:// URL", (value) =>
  /^smtps?:\/\/[^/?#]/i.test(value) && URL.canParse(value) ? value : undefined,
);

const filePath = (value: string): string | undefined => {
  const [, named] = /^file:(?:\/\/(?=\/[^/]))?((?!\/\/).+)$/.exec(value) ?? [];
  return named === undefined ? undefined : path.parse(named);
};

/** `file:` with a path, which becomes absolute, or the URL of a libSQL server. */
export const databaseUrl: Kind<string> = kind(
  "file:PATH, or an http(s):// or libsql:// URL without credentials and query",
  (value) => {
    const file = filePath(value);
    return file === undefined ? plainUrl(value, ["http:", "https:", "libsql:"]) : `file:${file}`;
  },
);

export type MediaLocation =
  | { kind: "disk"; dir: string }
  | { kind: "s3"; bucket: string; prefix: string; endpoint: string | undefined; region: string | undefined };

const bucketOf = (value: string): MediaLocation | undefined => {
  if (!/^s3:\/\/[^/?#@]+(\/[^?#]*)?(\?[^#]*)?$/.test(value) || !URL.canParse(value)) return undefined;
  const { hostname, pathname, searchParams } = new URL(value);
  const { endpoint, region, ...others } = Object.fromEntries(searchParams);
  const endpointUrl = endpoint === undefined ? undefined : httpUrl.parse(endpoint);
  if (Object.keys(others).length > 0 || (endpoint !== undefined && endpointUrl === undefined)) return undefined;
  return {
    kind: "s3",
    bucket: hostname,
    prefix: withoutTrailing(pathname.replace(/^\/+/, ""), "/"),
    endpoint: endpointUrl,
    region,
  };
};

/** The location of media: a folder, or a bucket of an S3 service. */
export const mediaLocation: Kind<MediaLocation> = kind(
  "file:PATH or s3://bucket/prefix?endpoint=URL&region=NAME",
  (value) => {
    const dir = filePath(value);
    return dir === undefined ? bucketOf(value) : { kind: "disk", dir };
  },
);

const bytesOf = (value: string, encoding: "hex" | "base64"): Uint8Array | undefined => {
  const bytes = Buffer.from(value, encoding);
  // Buffer skips invalid characters: only a text that is encoded back unchanged was valid
  const isWhole = withoutTrailing(bytes.toString(encoding), "=") === withoutTrailing(value, "=");
  return isWhole && bytes.length === 32 ? new Uint8Array(bytes) : undefined;
};

/** A key of 32 bytes in base64. */
export const keyBytes: Kind<Uint8Array> = kind("the base64 text of exactly 32 bytes", (value) =>
  bytesOf(value, "base64"),
);

/** A public key of 32 bytes, in hex or base64. */
export const publicKeyBytes: Kind<Uint8Array> = kind(
  "the hex or base64 text of exactly 32 bytes",
  (value) => bytesOf(value.toLowerCase(), "hex") ?? bytesOf(value, "base64"),
);

/** The range of minute, hour, day of the month, month and day of the week. */
const CRON_FIELDS: readonly [min: number, max: number][] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
];

const isCronPart = (part: string, [min, max]: [min: number, max: number]): boolean => {
  // a step needs everything or a range before it, and is no longer than the field
  const [, whole, first, last = first, step = "1"] =
    /^(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)(?:(?<=\*|-\d{1,2})\/(\d{1,2}))?$/.exec(part) ?? [];
  if (Number(step) < 1 || Number(step) > max - min + 1) return false;
  return (
    whole !== undefined ||
    (first !== undefined && Number(first) >= min && Number(last) <= max && Number(first) <= Number(last))
  );
};

/** A schedule: five fields as in crontab, in numbers. */
export const cronPattern: Kind<string> = kind(
  "a crontab pattern of five fields in numbers, such as 15 2 * * *",
  (value) => {
    const fields = value.split(/\s+/);
    const isPattern =
      fields.length === CRON_FIELDS.length &&
      CRON_FIELDS.every((range, index) => fields[index]?.split(",").every((part) => isCronPart(part, range)));
    return isPattern ? fields.join(" ") : undefined;
  },
);

/** Twelve of them are 365 days. */
const MONTH_DAYS = 365 / 12;
/** A longer term is refused; `forever` exists for that. */
const LONGEST_TERM_DAYS = 36_500;

/** A retention time in milliseconds; `forever` is Infinity. At least a day. */
export const keepTerm: Kind<number> = kind("a term such as 30d or 12mo, from 1d to 100 years, or forever", (value) => {
  if (value === "forever") return Number.POSITIVE_INFINITY;
  const [, count, unit] = /^(\d{1,6})(d|mo)$/.exec(value) ?? [];
  const days = Number(count) * (unit === "mo" ? MONTH_DAYS : 1);
  return days >= 1 && days <= LONGEST_TERM_DAYS ? Math.round(days * DAY_MS) : undefined;
});

/** The name of a time zone in the IANA database. */
export const timeZone: Kind<string> = kind("an IANA time zone such as America/Sao_Paulo", (value) => {
  if (value === "UTC") return value; // the default: the data of all zones takes 5 MB
  try {
    // Intl accepts offsets such as +03:00 too, but they have no daylight saving time
    return /^[a-z]/i.test(value) && new Intl.DateTimeFormat("en", { timeZone: value }) ? value : undefined;
  } catch {
    return undefined;
  }
});

/** A Pix key, in the form that banks store. */
export const pixKey: Kind<string> = kind(
  "a Pix key: a CPF, a CNPJ, a mail address, a mobile number with +55, or a random key",
  (value) => pixKeyIn(value)?.value,
);

/** The name or the city in a Pix code. */
export const pixText = (most: number): Kind<string> =>
  kind(`a text of 1 to ${most} Latin characters`, (value) => (isPixText(value, most) ? value : undefined));

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * PEM certificates, as a file's path or as the text itself, so that `RECADO_EXTRA_CA_FILE` may name either. Every
 * certificate must be readable.
 */
export const certificates: Kind<string> = kind("the path of a readable PEM file of certificates", (value) => {
  try {
    const pem = value.startsWith("-----BEGIN") ? value : readFileSync(value, "utf8");
    const blocks = pem.match(CERTIFICATE) ?? [];
    for (const block of blocks) new X509Certificate(block);
    return blocks.length > 0 ? pem : undefined;
  } catch {
    return undefined;
  }
});

const MOST_BYTES_OF_JSON = 4 * 1024 * 1024;

/** The text of a JSON file; its path is given. Whether its values fit is checked where they are used. */
export const jsonFile: Kind<string> = kind("the path of a readable JSON file of at most 4 MiB", (value) => {
  try {
    if (statSync(value).size > MOST_BYTES_OF_JSON) return undefined;
    const content = readFileSync(value, "utf8");
    JSON.parse(content);
    return content;
  } catch {
    return undefined;
  }
});

/** Whether a URL's host is this machine: localhost, 127.0.0.0/8 or ::1. */
export const isLoopbackUrl = (url: string): boolean => {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."));
};
