import { ask, type ConsoleServer } from "./server.ts";

/** Somebody who signs in. */
export type Person = {
  role: "OPERATOR" | "OWNER" | "ADMIN" | "MEMBER" | "VIEWER";
  name: string;
  email: string;
  password: string;
  /** The account that the pages show them. */
  accountId?: string;
};

/** An institution with a member of each role, and an operator of the machine. */
export type People = {
  operator: Person;
  owner: Person;
  admin: Person;
  member: Person;
  viewer: Person;
  /** Everybody's institution, which is an account of the gateway too. */
  institution: { id: string; name: string };
  /** A key of the gateway for it, with all rights. */
  key: string;
  /** The owner's token of the platform API. */
  token: string;
};

const PASSWORD = "uma senha bem comprida";
const INSTITUTION = "Padaria Três Irmãos";

/** What the browser sends with the console's own requests, besides its cookie. */
export const consoleHeaders = ({ url }: ConsoleServer) => ({
  origin: url,
  "sec-fetch-site": "same-origin",
  "x-recado-console": "1",
});

const person = (role: Person["role"], name: string): Person => ({
  role,
  name,
  email: `${role.toLowerCase()}@padaria.example`,
  password: PASSWORD,
});

/** Sets the server up by the link that its start printed, and registers a member of each role. */
export const seedPeople = async (server: ConsoleServer): Promise<People> => {
  const operator = person("OPERATOR", "Olga Operadora");
  const { name, email, password } = operator;
  const token = new URL(server.setupUrl).searchParams.get("token");
  await ask(`${server.consoleUrl}/setup`, { body: { token, name, email, password }, headers: consoleHeaders(server) });
  const owner = person("OWNER", "Otávia Dona");
  const first = await ask(`${server.platformUrl}/v1/auth/register`, {
    body: { name: owner.name, email: owner.email, password: owner.password, institutionName: INSTITUTION },
  });
  const institution: { id: string; name: string } = first.institution;
  if (!process.env["RECADO_TEST_PROGRAM"]) await server.enterprise(institution.id);
  const ownerToken: string = first.token;
  const join = async (role: "ADMIN" | "MEMBER" | "VIEWER", called: string): Promise<Person> => {
    const joining = person(role, called);
    await addMember(server, { institutionId: institution.id, token: ownerToken }, joining);
    return { ...joining, accountId: institution.id };
  };
  const accountId = institution.id;
  return {
    operator: { ...operator, accountId },
    owner: { ...owner, accountId },
    admin: await join("ADMIN", "Adão Administrador"),
    member: await join("MEMBER", "Maria da Conceição"),
    viewer: await join("VIEWER", "Vítor Leitor"),
    institution,
    key: await server.issueKey(institution.id),
    token: ownerToken,
  };
};

/** Registers an owner whose institution has nothing yet. Throws for a second one of the same server. */
export const seedNewcomer = async ({ platformUrl }: ConsoleServer): Promise<Person & { accountId: string }> => {
  const newcomer: Person = { ...person("OWNER", "Nina Nova"), email: "nina@nova.example" };
  const { name, email, password } = newcomer;
  const { institution } = await ask(`${platformUrl}/v1/auth/register`, {
    body: { name, email, password, institutionName: "Nova" },
  });
  return { ...newcomer, accountId: institution.id };
};

/** Registers a user, who gets an institution of their own too, and has them join this one. */
const addMember = async (
  { platformUrl }: ConsoleServer,
  { institutionId, token }: { institutionId: string; token: string },
  { role, name, email, password }: Person,
): Promise<void> => {
  const guest = await ask(`${platformUrl}/v1/auth/register`, {
    body: { name, email, password, institutionName: `Outra de ${name}` },
  });
  const { link } = await ask(`${platformUrl}/v1/institutions/${institutionId}/members`, {
    body: { email, role },
    headers: { authorization: `Bearer ${token}` },
  });
  const [, invitation = ""] = /[?&]token=([\w-]+)/.exec(link) ?? [];
  await ask(`${platformUrl}/v1/auth/accept-invitation`, {
    body: { token: invitation },
    headers: { authorization: `Bearer ${guest.token}` },
  });
};
