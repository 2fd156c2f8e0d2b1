import { decodeBinaryNode, encodeBinaryNode, type proto } from "@whiskeysockets/baileys";
import { type Certificate, respond, type Transport } from "./noise.ts";
import type { Stanza } from "./stanza.ts";
import type { Handlers, WebSocketLink } from "./websocket.ts";

/** One connection of a linked device, from its handshake on. */
export type Link = {
  send(stanza: Stanza): void;
  /** Sends a last stanza, then closes. */
  end(last?: Stanza): void;
  cut(): void;
  freeze(): () => void;
  readonly isOpen: boolean;
};

/** The events of a link. */
export type LinkEvents = {
  /** The client has shown its key and its wish. */
  entered(link: Link, noiseKey: Buffer, payload: proto.ClientPayload): void;
  /** In order, one at a time. */
  stanza(stanza: Stanza): Promise<void>;
  /** The client's bytes could not be read. */
  unreadable(thrown: unknown): void;
  closed(): void;
};

const WA_INTRO = 4;
const ROUTED_INTRO = 7;

/**
 * The prologue before the first frame: `WA` and versions, perhaps after routing information. Undefined while it is not
 * whole.
 */
const introSize = (bytes: Buffer): number | undefined => {
  if (bytes.length < ROUTED_INTRO) return undefined;
  return bytes.subarray(0, 2).toString() === "ED" ? ROUTED_INTRO + bytes.readUIntBE(4, 3) + WA_INTRO : WA_INTRO;
};

const framed = (bytes: Uint8Array): Buffer => {
  const head = Buffer.alloc(3);
  head.writeUIntBE(bytes.length, 0, 3);
  return Buffer.concat([head, bytes]);
};

/** Splits received bytes into frames. */
const makeSplitter = (take: (frame: Buffer) => void) => {
  let bytes: Buffer = Buffer.alloc(0);
  let hasIntro = false;
  return (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    if (!hasIntro) {
      const size = introSize(bytes);
      if (size === undefined || bytes.length < size) return;
      bytes = bytes.subarray(size);
      hasIntro = true;
    }
    while (bytes.length >= 3 && bytes.length >= bytes.readUIntBE(0, 3) + 3) {
      const end = bytes.readUIntBE(0, 3) + 3;
      const frame = bytes.subarray(3, end);
      bytes = bytes.subarray(end);
      take(frame);
    }
  };
};

/** Speaks Noise over a websocket; `silent` takes everything and never answers. */
export const openLink = (
  socket: WebSocketLink,
  certificate: Certificate,
  isSilent: boolean,
  events: LinkEvents,
): Handlers => {
  const responder = respond(certificate);
  let transport: Transport | undefined;
  let hasGreeted = false;
  let isOpen = true;
  let tail = Promise.resolve();

  const link: Link = {
    send: (stanza) => {
      if (transport && isOpen) socket.send(framed(transport.encrypt(encodeBinaryNode(stanza))));
    },
    end: (last) => {
      if (last) link.send(last);
      isOpen = false;
      socket.close();
    },
    cut: socket.cut,
    freeze: socket.freeze,
    get isOpen() {
      return isOpen;
    },
  };

  const shakeHands = (frame: Buffer) => {
    if (!hasGreeted) {
      hasGreeted = true;
      socket.send(framed(responder.hello(frame)));
      return;
    }
    const finished = responder.finish(frame);
    transport = finished.transport;
    events.entered(link, finished.noiseKey, finished.payload);
  };
  const take = (frame: Buffer) => {
    if (!transport) return shakeHands(frame);
    const plain = transport.decrypt(frame);
    tail = tail.then(async () => events.stanza(await decodeBinaryNode(plain))).catch(events.unreadable);
  };
  const split = makeSplitter((frame) => {
    if (!isSilent) take(frame);
  });

  return {
    message: (bytes) => {
      try {
        split(bytes);
      } catch (thrown) {
        events.unreadable(thrown);
        link.cut();
      }
    },
    closed: () => {
      isOpen = false;
      events.closed();
    },
  };
};
