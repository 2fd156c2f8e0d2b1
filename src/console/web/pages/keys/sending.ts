/** The scopes of a key that sends and reads messages. */
export const SENDING = ["messages.read", "messages.write", "media.read", "media.write", "phones.read"] as const;
