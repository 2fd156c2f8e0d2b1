/** The network's id of a message. Only the plugin creates and reads it; clients never see it. */
export type ProviderMessageId = string & { readonly __brand: "ProviderMessageId" };

/**
 * The ids of a person, as far as the network reports them. At least one is set. Numbers are digits without `+`. `uid`
 * is the id on a network with ids of its own. A `/` ends the person's own id in it; the rest names one of several chats
 * with that person. `lid`, `bsuid`, `parentBsuid` and `igsid` belong to the networks that have them.
 */
export type Identity = {
  pn?: string;
  lid?: string;
  bsuid?: string;
  parentBsuid?: string;
  igsid?: string;
  uid?: string;
  username?: string;
  group?: string;
  /** The network's id of a newsletter, or the name of a list of people: `status` for the account's own statuses. */
  newsletter?: string;
  broadcast?: string;
};

/** The person's own id in a `uid`, without the chat that it may name. */
export const personIdOf = (uid: string): string => uid.split("/", 1)[0] ?? uid;

/** Whether an identity has at least one id. */
export const isKnown = (identity: Identity): boolean => Object.keys(identity).length > 0;
