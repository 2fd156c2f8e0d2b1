/** The words of a name, joined: `cta_url` → `CtaUrl`, `listPhones` → `ListPhones`. Digits are left out. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z]+/)
    .filter(Boolean)
    .map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** The name of one item of a list: `phones` → `phone`, `entries` → `entry`, `data` → `dataItem`. */
export const singular = (plural: string): string => {
  if (plural.endsWith("ies")) return `${plural.slice(0, -3)}y`;
  if (/(ss|sh|ch|x)es$/.test(plural)) return plural.slice(0, -2);
  return /[^s]s$/.test(plural) ? plural.slice(0, -1) : `${plural}Item`;
};

/** Whether a name is one that generators of clients keep: PascalCase without digits, and not one of their own. */
export const isGoodName = (name: string): boolean => /^[A-Z][A-Za-z]*$/.test(name) && !name.startsWith("Inline");
