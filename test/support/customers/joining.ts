import { customer, type Customer as Institution, made } from "../tenants/platform.ts";
import type { Answer, World } from "../world.ts";
import { type Customer as Account, newCustomer } from "./customer.ts";

/** A company that began with both APIs: an account of the gateway with a phone, and an institution of its own. */
export type Company = { account: Account; institution: Institution };

export const newCompany = async (w: World): Promise<Company> => {
  const [account, institution] = [await newCustomer(w), await customer(w)];
  return { account, institution };
};

/** A code with which an institution takes over the account. */
export const joinCodeOf = async (w: World, { account }: Pick<Company, "account">): Promise<string> =>
  made(await w.gateway("/v1/account/join-codes", { key: account.key, method: "POST" }), 201).code;

export const joinByCode = (
  w: World,
  { id, token }: Pick<Institution, "id" | "token">,
  code: string,
  query = "",
): Promise<Answer> => w.platform(`/v1/institutions/${id}/accounts${query}`, { token, body: { code } });

/** Joins the two as their owner does; resolves when the history has followed. */
export const join = async (w: World, company: Company) => {
  const joined = made(await joinByCode(w, company.institution, await joinCodeOf(w, company)), 200);
  await w.settle();
  return joined;
};

export const joinAsAdmin = (w: World, accountId: string, institutionId: string, query = ""): Promise<Answer> =>
  w.gateway(`/v1/admin/accounts/${accountId}/join${query}`, { admin: true, body: { institutionId } });
