import { isOpenState, type LinkState } from "../../contract/events.ts";
import type { Channel } from "../../core/channels/channel.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { addressOfNumber } from "../shared/compatible/addresses.ts";
import { qrPng } from "../shared/qr.ts";

const CONNECTING: readonly LinkState[] = ["PENDING", "PENDING_QR", "PENDING_WEBHOOK", "CONNECTING"];

/** The state of a connection in Evolution's three words. */
export const stateOf = ({ state }: Pick<Channel, "state">): "open" | "connecting" | "close" => {
  if (isOpenState(state)) return "open";
  return CONNECTING.includes(state) ? "connecting" : "close";
};

/** Evolution's name for a number: its address. */
export const ownerOf = ({ phoneNumber }: Pick<Channel, "phoneNumber">): string | null =>
  phoneNumber === null ? null : addressOfNumber(phoneNumber);

export const stateView = (channel: Channel) => ({
  instance: { instanceName: channel.label, state: stateOf(channel) },
});

/** `integration`: Evolution's name of the kind. */
export const instanceView = (
  channel: Channel,
  { integration, settings }: { integration: string; settings: object },
) => ({
  id: channel.id,
  name: channel.label,
  connectionStatus: stateOf(channel),
  ownerJid: ownerOf(channel),
  profileName: null,
  profilePicUrl: null,
  integration,
  number: channel.phoneNumber,
  businessId: null,
  token: null,
  clientName: "recado",
  disconnectionReasonCode: null,
  disconnectionObject: null,
  disconnectionAt: isoOrNull(channel.disconnectedAt),
  createdAt: iso(channel.createdAt),
  updatedAt: iso(channel.updatedAt),
  Setting: settings,
});

/** A QR code or a typed code; `code` is the QR code's text. */
export const codeView = async ({ qr, code }: { qr: string | undefined; code: string | undefined }) => ({
  pairingCode: code ?? null,
  code: qr ?? null,
  base64: qr === undefined ? null : await qrPng(qr),
  count: qr === undefined ? 0 : 1,
});
