import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { type Customer, newCustomer, TO, wamidOf } from "../customers/customer.ts";
import { FILES } from "../customers/media.ts";
import { ofNumber, post, secondsAt } from "../networks/waba-posts.ts";
import { pairedPhone, sessionWorld } from "../session/world.ts";
import { made } from "../tenants/platform.ts";
import { untilTrue } from "../waiting.ts";
import { startWorld, type World } from "../world.ts";
import { CLOUD_ENV, type CloudClient, cloudClientOf } from "./cloud.ts";
import { type CloudProgram, startProgram } from "./cloud-program.ts";

/** A phone with a program on it, and what the people at both ends do. */
export type CloudPhone = {
  w: World;
  customer: Customer;
  client: CloudClient;
  program: CloudProgram;
  /** The secret that signs its webhooks. */
  secret: string;
  /** The digits of the person who writes with the phone, and their name. */
  person: string;
  name: string;
  /** Resolves when the program has got a matching webhook; by default any webhook. */
  until(holds?: () => boolean): Promise<void>;
  says(text: string): Promise<void>;
  /** The person answers a message of Recado, by Recado's id. */
  answers(text: string, messageId: string): Promise<void>;
  sendsImage(caption: string): Promise<void>;
  reacts(messageId: string, emoji: string): Promise<void>;
  /** The owner of the number writes to the person in the network's own app. */
  ownerSays(text: string): Promise<void>;
  /** The texts that the network has got from Recado since, in order. */
  texts(): string[];
};

/** Saves the program's address for the phone. Gives the answer. */
export const connectProgram = async (
  w: World,
  { key, phone }: Pick<Customer, "key" | "phone">,
  { url, verifyToken }: Pick<CloudProgram, "url" | "verifyToken">,
  more: object = {},
): Promise<any> =>
  made(
    await w.gateway(`/v1/phones/${phone.id}/cloud-api/webhook`, {
      method: "PUT",
      key,
      body: { url, verifyToken, ...more },
    }),
    200,
  );

type Ends = Pick<CloudPhone, "person" | "name" | "says" | "answers" | "sendsImage" | "reacts" | "ownerSays" | "texts">;
type Network = { w: World; newPhone(): Promise<{ customer: Customer; ends: Ends }>; stop(): Promise<void> };

const officialNetwork = async (): Promise<Network> => {
  const w = await startWorld({ env: CLOUD_ENV });
  const newPhone = async () => {
    const customer = await newCustomer(w);
    const to = customer.phone.phoneNumberId;
    const from = { from: TO, to, name: "Ana" };
    const ends: Ends = {
      person: TO,
      name: "Ana",
      says: async (text) => void (await w.graph.inbound.text({ ...from, text })),
      answers: async (text, messageId) =>
        void (await w.graph.inbound.text({ ...from, text, quoted: wamidOf(w, messageId) })),
      async sendsImage(caption) {
        const mediaId = w.graph.addMedia({ bytes: FILES.png, mimeType: "image/png", phoneNumberId: to });
        await w.graph.inbound.image({ ...from, mediaId, mimeType: "image/png", caption });
      },
      reacts: async (messageId, emoji) =>
        void (await w.graph.inbound.reaction({ ...from, messageId: wamidOf(w, messageId), emoji })),
      ownerSays: async (text) => {
        const echo = {
          from: customer.phone.number,
          to: TO,
          id: `wamid.${Bun.randomUUIDv7()}`,
          timestamp: secondsAt(w.clock.now()),
          type: "text",
          text: { body: text },
        };
        await post(w, [ofNumber(customer, { message_echoes: [echo] }, "smb_message_echoes")]);
      },
      texts: () =>
        w.graph.journal
          .filter(({ method, path }) => method === "POST" && path.endsWith(`/${to}/messages`))
          .flatMap(({ body }: any) => body.text?.body ?? []),
    };
    return { customer, ends };
  };
  return { w, newPhone, stop: () => w.stop() };
};

const sessionNetwork = async (): Promise<Network> => {
  const world = await sessionWorld(CLOUD_ENV);
  const { w, net } = world;
  const newPhone = async () => {
    const { customer, owner } = await pairedPhone(world);
    const person = world.contact();
    const keyOf = async (messageId: string): Promise<string> => {
      const [row] = await w.app.env.db.read(async (reader) =>
        reader.rows<{ key: string }>("SELECT provider_message_id AS key FROM messages WHERE id = ?1", [messageId]),
      );
      return row?.key.split("/").at(-1) ?? "";
    };
    const ends: Ends = {
      person: person.pn ?? "",
      name: person.account.name ?? "",
      says: async (text) => void (await person.say(text, { to: owner })),
      answers: async (text, messageId) =>
        void (await person.say(text, { to: owner, quoted: { id: await keyOf(messageId), text: "x" } })),
      sendsImage: async (caption) =>
        void (await person.sendMedia("image", FILES.png, { to: owner, mimetype: "image/png", caption })),
      reacts: async (messageId, emoji) => void (await person.react(owner, { id: await keyOf(messageId) }, emoji)),
      ownerSays: async (text) => void (await owner.say(text, { to: person })),
      texts: () =>
        person.received.flatMap(({ message }) => message?.conversation ?? message?.extendedTextMessage?.text ?? []),
    };
    void net;
    return { customer, ends };
  };
  return { w, newPhone, stop: world.stop };
};

const NETWORKS = { official: officialNetwork, session: sessionNetwork } as const;
export type NetworkName = keyof typeof NETWORKS;
export const NETWORK_NAMES = Object.keys(NETWORKS) as NetworkName[];

/** A new phone for every test, in a world of the file's. */
export const useCloudPhone = (name: NetworkName): CloudPhone => {
  let network: Network | undefined;
  const phone = {} as CloudPhone;
  beforeAll(async () => {
    network = await NETWORKS[name]();
  });
  beforeEach(async () => {
    if (!network) throw new Error("the network is started before the tests");
    const { w } = network;
    const { customer, ends } = await network.newPhone();
    const program = startProgram();
    const client = await cloudClientOf(w, customer);
    const { secret } = await connectProgram(w, customer, program);
    const until = (holds = () => program.posts.length > 0): Promise<void> =>
      untilTrue(async () => {
        await w.settle();
        return holds();
      });
    Object.assign(phone, { w, customer, client, program, secret, until, ...ends });
  });
  afterEach(() => phone.program.stop());
  afterAll(() => network?.stop());
  return phone;
};
