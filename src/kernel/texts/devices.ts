/**
 * TABLE: the marks of browsers in user agents. The first match counts, because most user agents name other browsers
 * too.
 */
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const;
const SYSTEMS = [
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** The browser and system that a user agent names, in our words; undefined if it names neither. */
export const deviceIn = (userAgent: string | null): string | undefined => {
  const found = [BROWSERS, SYSTEMS].map((list) => list.find(([mark]) => userAgent?.includes(mark))?.[1]);
  return found.filter(Boolean).join(", ") || undefined;
};
