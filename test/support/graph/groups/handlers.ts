import { codePoints } from "../../../../src/kernel/schema.ts";
import { type Call, type Effect, type Handler, ok, required, requireProduct, senderOf } from "../call.ts";
import { badParameter, GraphError } from "../errors.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { type PhoneNumber, type Recipient, recipientOf, type State } from "../state.ts";
import { secondsOf } from "../values.ts";
import { pageOf, viewOf } from "../views.ts";
import {
  type Group,
  type GroupRequest,
  groupOf,
  type Later,
  newGroupId,
  newInviteLink,
  newRequestId,
  personOf,
  usableGroupOf,
} from "./model.ts";

const PRODUCT = { messaging_product: "whatsapp" };

/** The answer to a request that is carried out later: its id. */
const takenOn = (state: State, later: Later, request: Omit<GroupRequest, "id">) => {
  const id = newRequestId(state);
  return { ...ok({ ...PRODUCT, request_id: id }), after: () => later({ ...request, id }) };
};

const settingsOf = ({ subject, description }: Fields): { subject?: string; description?: string } => {
  if (subject !== undefined && (typeof subject !== "string" || subject === "" || codePoints(subject) > 128))
    throw badParameter("Param subject must be 1 to 128 characters long.");
  if (description !== undefined && (typeof description !== "string" || codePoints(description) > 2048))
    throw badParameter("Param description must be at most 2048 characters long.");
  return { ...(subject === undefined ? {} : { subject }), ...(description === undefined ? {} : { description }) };
};

/** `POST /{number}/groups`: the group exists once a webhook reports it. */
const createGroup =
  (later: Later): Handler =>
  (call) => {
    const { state, body } = call;
    const { phoneNumberId } = senderOf(call).seed;
    requireProduct(call);
    if (body["subject"] === undefined) throw required("subject");
    const { subject = "", description = "" } = settingsOf(body);
    const mode = body["join_approval_mode"] ?? "auto_approve";
    if (mode !== "auto_approve" && mode !== "approval_required")
      throw badParameter("Param join_approval_mode must be one of {AUTO_APPROVE, APPROVAL_REQUIRED}.");
    const perform = () => {
      const group = newGroup(state, { phoneNumberId, subject, description, joinApprovalMode: mode });
      const { id, inviteLink } = group;
      state.groups.set(id, group);
      return {
        group_id: id,
        type: "group_create",
        subject,
        description,
        invite_link: inviteLink,
        join_approval_mode: mode,
      };
    };
    const request = {
      phoneNumberId,
      field: "group_lifecycle_update",
      perform,
      refused: { type: "group_create", subject },
    };
    return { operation: "group.create", phoneNumberId, run: () => takenOn(state, later, request) };
  };

export const newGroup = (
  state: State,
  fields: Pick<Group, "phoneNumberId" | "subject" | "description" | "joinApprovalMode">,
): Group => ({
  ...fields,
  id: newGroupId(state),
  inviteLink: newInviteLink(state),
  createdAt: state.clock.now(),
  isSuspended: false,
  participants: [],
  joinRequests: [],
  banned: new Set(),
});

const nodeOf = (state: State, group: Group) => ({
  type: "WhatsAppGroup",
  fields: {
    ...PRODUCT,
    id: group.id,
    subject: group.subject,
    description: group.description,
    suspended: group.isSuspended,
    creation_timestamp: secondsOf(group.createdAt),
    participants: group.participants.map((one) => personOf(state, one)),
    total_participant_count: group.participants.length,
    join_approval_mode: group.joinApprovalMode,
  },
  shown: ["id"],
});

/** `GET /{group}?fields=` */
const getGroup: Handler = (call) => {
  const view = viewOf(nodeOf(call.state, groupOf(call)), call.query);
  return { operation: "group.get", run: () => ok({ ...PRODUCT, ...view }) };
};

/** `POST /{group}`: subject and description. */
const updateGroup =
  (later: Later): Handler =>
  (call) => {
    const group = usableGroupOf(call);
    requireProduct(call);
    const changes = settingsOf(call.body);
    if (Object.keys(changes).length === 0)
      throw badParameter("At least one of subject, description and file must be given.");
    const update = (isSuccessful: boolean) => ({
      group_id: group.id,
      type: "group_settings_update",
      ...Object.fromEntries(
        Object.entries(changes).map(([name, text]) => [`group_${name}`, { text, update_successful: isSuccessful }]),
      ),
    });
    const perform = () => {
      Object.assign(group, changes);
      return update(true);
    };
    const { phoneNumberId } = group;
    return {
      operation: "group.update",
      phoneNumberId,
      run: () =>
        takenOn(call.state, later, {
          phoneNumberId,
          field: "group_settings_update",
          perform,
          refused: update(false),
        }),
    };
  };

/** `DELETE /{group}` */
const deleteGroup =
  (later: Later): Handler =>
  (call) => {
    const { id, phoneNumberId } = usableGroupOf(call);
    const update = { group_id: id, type: "group_delete" };
    const perform = () => {
      call.state.groups.delete(id);
      return update;
    };
    return {
      operation: "group.delete",
      phoneNumberId,
      run: () =>
        takenOn(call.state, later, { phoneNumberId, field: "group_lifecycle_update", perform, refused: update }),
    };
  };

const inviteLink: Handler = (call) => {
  const group = usableGroupOf(call);
  return {
    operation: "group.link",
    phoneNumberId: group.phoneNumberId,
    run: () => ok({ ...PRODUCT, invite_link: group.inviteLink }),
  };
};

const resetInviteLink: Handler = (call) => {
  const group = usableGroupOf(call);
  const run = () => {
    group.inviteLink = newInviteLink(call.state);
    return ok({ ...PRODUCT, invite_link: group.inviteLink });
  };
  return { operation: "group.link.reset", phoneNumberId: group.phoneNumberId, run };
};

const listJoinRequests: Handler = (call) => {
  const group = groupOf(call);
  const nodes = group.joinRequests.map(({ id, at, recipient }) => {
    const fields = { join_request_id: id, ...personOf(call.state, recipient), creation_timestamp: secondsOf(at) };
    return { type: "WhatsAppGroupJoinRequest", fields, shown: Object.keys(fields) };
  });
  const page = pageOf(call, nodes);
  return { operation: "group.requests", phoneNumberId: group.phoneNumberId, run: () => page };
};

const ERROR_OF_REQUEST = { code: 131213, title: "Join request unknown", message: "The join request does not exist." };

/** `POST` lets people in, `DELETE` keeps them out; unknown requests are answered one by one. */
const decideJoinRequests =
  (decided: "approved_join_requests" | "rejected_join_requests"): Handler =>
  (call) => {
    const group = usableGroupOf(call);
    requireProduct(call);
    const ids = call.body["join_requests"];
    if (!Array.isArray(ids) || ids.length === 0) throw required("join_requests");
    const run = () => {
      const known = group.joinRequests.filter(({ id }) => ids.includes(id));
      group.joinRequests = group.joinRequests.filter((one) => !known.includes(one));
      if (decided === "approved_join_requests") group.participants.push(...known.map(({ recipient }) => recipient));
      const unknown = ids.filter((id) => known.every((one) => one.id !== id));
      const failed = unknown.map((id) => ({ join_request_id: textOf(id), errors: [ERROR_OF_REQUEST] }));
      return ok({
        ...PRODUCT,
        [decided]: known.map(({ id }) => id),
        ...(failed.length > 0 ? { failed_join_requests: failed } : {}),
      });
    };
    return { operation: "group.requests.decide", phoneNumberId: group.phoneNumberId, run };
  };

const MOST_PER_CALL = 8;

/** The people of a body, in its spelling. */
const peopleOf = (call: Call): { input: string; recipient: Recipient | undefined }[] => {
  requireProduct(call);
  const list = call.body["participants"];
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_PER_CALL)
    throw badParameter(`Param participants must hold 1 to ${MOST_PER_CALL} people.`);
  return list.map((one) => {
    const { user, user_id: userId } = fieldsOf(one);
    if (textOf(user ?? userId) === "") throw required("participants['user']");
    const key = user === undefined ? textOf(userId) : textOf(user).replace(/\D/g, "");
    return { input: textOf(user ?? userId), recipient: recipientOf(call.state, key) };
  });
};

/** `DELETE /{group}/participants`: a person who is not in the group is reported as such. */
const removeParticipants =
  (later: Later): Handler =>
  (call) => {
    const group = usableGroupOf(call);
    const people = peopleOf(call);
    const isIn = ({ recipient }: { recipient: Recipient | undefined }) =>
      recipient !== undefined && group.participants.includes(recipient);
    const update = { group_id: group.id, type: "group_participants_remove", initiated_by: "business" };
    const perform = () => {
      const [removed, others] = [people.filter(isIn), people.filter((one) => !isIn(one))];
      group.participants = group.participants.filter((one) => removed.every(({ recipient }) => recipient !== one));
      for (const { recipient } of removed) if (recipient) group.banned.add(recipient.waId);
      const failed = others.map(({ input }) => ({
        input,
        errors: [{ code: 131212, title: "Not a participant", message: "Not a participant" }],
      }));
      return {
        ...update,
        removed_participants: removed.map(({ input }) => ({ input })),
        ...(failed.length > 0 ? { failed_participants: failed } : {}),
      };
    };
    const { phoneNumberId } = group;
    return {
      operation: "group.remove",
      phoneNumberId,
      run: () =>
        takenOn(call.state, later, { phoneNumberId, field: "group_participants_update", perform, refused: update }),
    };
  };

/**
 * `POST /{group}/participants`: in the OpenAPI file alone. The documents say that people come by invitation only, and
 * so does this.
 */
const addParticipants: Handler = (call): Effect => {
  usableGroupOf(call);
  peopleOf(call);
  throw new GraphError(131215, { details: "Participants can join a group by its invite link only." });
};

/** `GET /{number}/groups` */
const listGroups: Handler = (call) => {
  const number: PhoneNumber = senderOf(call);
  const all = [...call.state.groups.values()].filter(
    ({ phoneNumberId }) => phoneNumberId === number.seed.phoneNumberId,
  );
  const groups = all.map(({ id, subject, createdAt }) => ({ id, subject, created_at: secondsOf(createdAt) }));
  return {
    operation: "group.list",
    phoneNumberId: number.seed.phoneNumberId,
    run: () => ok({ data: { groups }, paging: { cursors: {} } }),
  };
};

/** The endpoints of groups. No endpoint exists for administrators, for leaving, or for how people join. */
export const groupRoutes = (later: Later): Record<string, Handler> => ({
  "POST number/groups": createGroup(later),
  "GET number/groups": listGroups,
  "GET group": getGroup,
  "POST group": updateGroup(later),
  "DELETE group": deleteGroup(later),
  "GET group/invite_link": inviteLink,
  "POST group/invite_link": resetInviteLink,
  "GET group/join_requests": listJoinRequests,
  "POST group/join_requests": decideJoinRequests("approved_join_requests"),
  "DELETE group/join_requests": decideJoinRequests("rejected_join_requests"),
  "POST group/participants": addParticipants,
  "DELETE group/participants": removeParticipants(later),
});
