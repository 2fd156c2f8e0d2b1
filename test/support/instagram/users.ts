import { type Call, type Effect, json, requireScope, selected } from "./call.ts";
import { refusal, unknownObject } from "./errors.ts";
import { pictureUrl } from "./messages/media.ts";
import { BASIC, MESSAGES, type UserSeed } from "./seeds.ts";
import { hasWritten, type Message, type State } from "./state.ts";

const usernameOf = (user: UserSeed): string => user.username ?? `user_${user.igsid.slice(-4)}`;

/** `GET /{IGSID}?fields=`: a user who has never written to the account has not consented to be seen (230). */
export const getUser = (call: Call): Effect => {
  const { state, method, node, query, token } = call;
  const user = state.users.get(node);
  if (!user) throw unknownObject(method, node);
  requireScope(token, BASIC);
  requireScope(token, MESSAGES);
  if (!hasWritten(state, token.igUserId, node)) throw refusal(230);
  const view = selected(query, {
    id: node,
    name: user.name === undefined ? `User ${node.slice(-4)}` : user.name,
    username: usernameOf(user),
    profile_pic: pictureUrl(state, node),
    follower_count: user.followerCount ?? 0,
    is_user_follow_business: user.isFollowingBusiness ?? false,
    is_business_follow_user: user.isFollowedByBusiness ?? false,
    is_verified_user: user.isVerified ?? false,
  });
  return { operation: "user.get", igUserId: token.igUserId, igsid: node, run: () => json(view) };
};

/** `GET /{mid}?fields=`: a message of one of the account's conversations, sent or received. */
export const getMessage = (call: Call): Effect => {
  const { state, method, node, query, token } = call;
  const message = state.messages.get(node);
  if (!message || message.igUserId !== token.igUserId) throw unknownObject(method, node);
  requireScope(token, MESSAGES);
  const view = selected(query, messageView(state, message));
  return { operation: "message.get", igUserId: message.igUserId, igsid: message.igsid, run: () => json(view) };
};

const messageView = (state: State, { mid, at, igUserId, igsid, isFromBusiness, text, isUnsupported }: Message) => {
  const user = { username: usernameOf(state.users.get(igsid) ?? { igsid }), id: igsid };
  const business = { username: state.accounts.get(igUserId)?.seed.username ?? "", id: igUserId };
  return {
    id: mid,
    created_time: new Date(at).toISOString().replace(/\.\d+Z$/, "+0000"),
    from: isFromBusiness ? business : user,
    to: { data: [isFromBusiness ? user : business] },
    message: text ?? "",
    is_unsupported: isUnsupported ?? false,
  };
};
