/** The fields of a chat's contact with which pages name a person. */
type Person = { canonicalKey: string; type: string; username?: string };

/** The name of a person without a contact: the number with its plus, the user name, or the network's id. */
export const personName = (person: Person | null): string => {
  if (person === null) return "–";
  const { canonicalKey, username } = person;
  const id = canonicalKey.slice(canonicalKey.indexOf(":") + 1);
  if (canonicalKey.startsWith("pn:")) return `+${id}`;
  return username === undefined ? id : `@${username}`;
};
