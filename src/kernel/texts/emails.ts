import { domainToASCII, domainToUnicode } from "node:url";

/**
 * Characters that no address has outside quotes (RFC 5322, 3.2.3), and invisible characters, which would give one
 * mailbox many spellings.
 */
const REFUSED = /[\p{C}\p{Z}\s<>"(),:;[\\\]]/u;

/** A domain as servers know it: IDNA's ASCII form, in lower case. Undefined for any other text. */
const asciiDomain = (domain: string): string | undefined => {
  // an ASCII domain is left alone: the URL standard would make an IPv4 address of a number
  const ascii = /^[\u0021-\u007e]*$/.test(domain) ? domain.toLowerCase() : domainToASCII(domain);
  return ascii.split(".").includes("") ? undefined : ascii;
};

/** An address as it is stored and shown: without spaces around it, in Unicode's compatibility form. */
export const plainEmail = (text: string): string => text.trim().normalize("NFKC");

const partsOf = (text: string): { local: string; domain: string } => {
  const at = text.lastIndexOf("@");
  return { local: text.slice(0, Math.max(at, 0)), domain: text.slice(at + 1) };
};

/**
 * Whether a text has one `@` with text on both sides, and no invisible or quoted character. Only a mail can verify
 * more.
 */
export const isEmail = (text: string): boolean => {
  const plain = text.normalize("NFKC");
  const { local, domain } = partsOf(plain);
  return local !== "" && !local.includes("@") && !REFUSED.test(plain) && asciiDomain(domain) !== undefined;
};

/** The key of a mailbox: the same for all spellings of its address. */
export const emailKeyOf = (email: string): string => {
  const plain = plainEmail(email).toLowerCase();
  const { local, domain } = partsOf(plain);
  const ascii = asciiDomain(domain);
  return ascii === undefined ? plain : `${local}@${ascii}`;
};

/** The key under which earlier versions stored an address. */
export const formerEmailKeyOf = (email: string): string => email.trim().toLowerCase();

/** All keys under which the mailbox of an address may be stored, the likeliest first. */
export const emailKeysOf = (email: string): string[] => {
  const key = emailKeyOf(email);
  const { local, domain } = partsOf(key);
  return [...new Set([formerEmailKeyOf(email), key, `${local}@${domainToUnicode(domain) || domain}`])];
};
