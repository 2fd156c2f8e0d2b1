import { isOpenState, type LinkState } from "../../contract/events.ts";
import type { Channel } from "../../core/channels/channel.ts";
import { chatIdOfNumber } from "./addresses.ts";

/** WAHA's engine whose shapes these are. */
export const ENGINE = "NOWEB";

/** The version of WAHA whose routes and shapes these are. Its clients read it. */
const COMPATIBLE_WITH = "2026.9.1";

/** WAHA's description of a server, which stands in every event too. */
export const ENVIRONMENT = { version: COMPATIBLE_WITH, engine: ENGINE, tier: "PLUS", browser: null } as const;

export type SessionStatus = "STOPPED" | "STARTING" | "SCAN_QR_CODE" | "WORKING" | "FAILED";

/** TABLE: WAHA's word for each state of a connection. */
const STATUS_OF: Record<LinkState, SessionStatus> = {
  PENDING: "STARTING",
  PENDING_QR: "SCAN_QR_CODE",
  PENDING_WEBHOOK: "STARTING",
  CONNECTING: "STARTING",
  CONNECTED: "WORKING",
  RESTRICTED: "WORKING",
  DISCONNECTED: "STOPPED",
  TOKEN_EXPIRED: "FAILED",
  FAILED: "FAILED",
};
export const sessionStatusOf = ({ state }: Pick<Channel, "state">): SessionStatus => STATUS_OF[state];

/** The account of a session; null before it was linked. The network does not say its name. */
export const meOf = ({ phoneNumber }: Pick<Channel, "phoneNumber">): { id: string; pushName: string | null } | null =>
  phoneNumber === null ? null : { id: chatIdOfNumber(phoneNumber), pushName: null };

/** A session as WAHA lists it. `config`: what it was given that has an effect here. */
export const sessionView = (channel: Channel, config: object = {}) => ({
  name: channel.label,
  status: sessionStatusOf(channel),
  config,
  me: isOpenState(channel.state) ? meOf(channel) : null,
  engine: { engine: ENGINE },
  presence: null,
  timestamps: { activity: null },
  id: channel.id,
});
