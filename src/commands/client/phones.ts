import type { Gateway } from "../../../clients/typescript/src/index.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { InputFault, type Session, withClient } from "./connected.ts";
import { readText } from "./input.ts";
import { linkPhone } from "./link.ts";
import { tableLines } from "./text.ts";

const HEAD = ["ID", "LABEL", "TYPE", "NUMBER", "STATUS"];

const rowOf = ({ id, label, type, phoneNumber, status, stateReason }: Gateway.Phone): string[] => [
  id,
  label,
  type,
  phoneNumber ?? "-",
  stateReason === null ? status : `${status} (${stateReason})`,
];

/** `recado phone list`. */
export const listPhones = (
  context: CommandContext,
  { url, json }: { url: string | undefined; json: boolean },
): Promise<number> =>
  withClient(context, { name: "phone list", url }, async ({ recado }) => {
    const phones = await recado.phones.list().toArray();
    if (json) context.out(JSON.stringify(phones));
    else for (const line of tableLines([HEAD, ...phones.map(rowOf)])) context.out(line);
    return EXIT.ok;
  });

export type AddOptions = {
  url: string | undefined;
  json: boolean;
  type: string;
  label: string;
  /** The file with the credentials; `-` is stdin. */
  credentials: string | undefined;
  isLinked: boolean;
};

/** `recado phone add`: a phone that waits to be linked is linked at once, unless the user wants that later. */
export const addPhone = (context: CommandContext, options: AddOptions): Promise<number> =>
  withClient(context, { name: "phone add", url: options.url }, async (session) => {
    const phone = await createPhone(session, options);
    if (options.json) context.out(JSON.stringify(phone));
    else
      for (const line of tableLines([HEAD, rowOf({ phoneNumber: null, stateReason: null, ...phone } as Gateway.Phone)]))
        context.out(line);
    if (!options.isLinked || phone.status !== "PENDING_QR") return EXIT.ok;
    return linkPhone(context, session, { id: phone.id, json: options.json, code: undefined });
  });

const createPhone = async (
  { recado }: Session,
  { type, label, credentials }: AddOptions,
): Promise<Gateway.CreatedPhone> => {
  const given = credentials === undefined ? {} : { credentials: await credentialsIn(credentials) };
  // the server knows the types, and names them
  return recado.phones.create({ type, label, ...given });
};

const credentialsIn = async (file: string): Promise<Gateway.CreatePhoneRequestCredentials> => {
  try {
    return JSON.parse(await readText(file)) as Gateway.CreatePhoneRequestCredentials;
  } catch (cause) {
    if (cause instanceof InputFault) throw cause;
    throw new InputFault("the credentials are not JSON", { cause });
  }
};
