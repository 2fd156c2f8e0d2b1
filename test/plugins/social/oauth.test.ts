import { describe, expect, test } from "bun:test";
import { socialPlugin } from "../../../plugins/social/plugin.ts";
import { DAY_MS, HOUR_MS, iso } from "../../../src/kernel/clock.ts";
import {
  ACCOUNT,
  APP,
  APP_SECRET,
  callsTo,
  REDIRECT,
  settingsFor,
  socialChannel,
  TOKEN,
} from "../../support/networks/social-channel.ts";

const channel = socialChannel();
const SIXTY_DAYS_MS = 60 * DAY_MS;

const oauth = (settings: Partial<ReturnType<typeof settingsFor>> = {}) => {
  const { instagram, host } = channel();
  const made = socialPlugin({ ...settingsFor(instagram), ...settings }).oauth?.(host);
  if (!made) throw new Error("the plugin has no consent");
  return made;
};
const newCode = (igUserId = ACCOUNT) => channel().instagram.authorize({ redirectUri: REDIRECT, igUserId });
/** The tokens that a consent made, after the one there was. */
const newTokens = () => [...channel().instagram.tokens.values()].filter(({ value }) => value !== TOKEN);

describe("what a page needs to ask for consent", () => {
  test("is the app, where to send the owner, the rights that are asked for and where the answer may go", async () => {
    const { config } = oauth();
    expect(config).toMatchObject({
      appId: APP,
      scopes: ["instagram_business_basic", "instagram_business_manage_messages"],
      redirectUris: [REDIRECT],
    });
    const page = await fetch(`${config?.authorizeUrl}&redirect_uri=${encodeURIComponent(REDIRECT)}`, {
      redirect: "manual",
    });
    const back = page.headers.get("location") ?? "";
    expect(back).toMatch(/^https:\/\/app\.example\.com\/instagram\/callback\?code=.*#_$/);
  });

  test.each([{ appId: undefined }, { appSecrets: [] }])("is nothing where the operator has set %p", async (missing) => {
    expect(oauth(missing).config).toBeUndefined();
    expect(await oauth(missing).exchange(newCode(), REDIRECT)).toMatchObject({ ok: false, kind: "credentials" });
    expect(channel().instagram.journal).toEqual([]);
  });
});

describe("the code of a consent", () => {
  const SHAPES = (["data", "flat"] as const).flatMap((tokenAnswer) =>
    (["text", "list"] as const).flatMap((permissionsAs) =>
      (["flat", "data"] as const).map((meAnswer) => ({ tokenAnswer, permissionsAs, meAnswer })),
    ),
  );
  test.each(SHAPES)("becomes a token of 60 days, in whatever shape the network answers: %p", async (shape) => {
    const { instagram, host } = channel();
    instagram.configure(shape);
    const granted = await oauth().exchange(newCode(), REDIRECT);
    const [short, long] = newTokens();
    const expiresAt = host.clock.now() + SIXTY_DAYS_MS;
    expect([short?.kind, long?.kind, long?.expiresAt]).toEqual(["short", "long", expiresAt]);
    expect(granted).toEqual({
      ok: true,
      value: {
        numberId: ACCOUNT,
        profile: {
          igUsername: "padaria",
          igAccountType: "BUSINESS",
          igTokenExpiresAt: iso(expiresAt),
          igWebhookConfigured: true,
        },
        credentials: {
          igUserId: ACCOUNT,
          accessToken: long?.value ?? "",
          tokenIssuedAt: String(host.clock.now()),
          tokenExpiresAt: String(expiresAt),
        },
      },
    });
  });

  test("may carry the fragment that the network puts behind it", async () => {
    expect((await oauth().exchange(`${newCode()}#_`, REDIRECT)).ok).toBe(true);
    expect(callsTo(channel(), "oauth/access_token")[0]?.body).toMatchObject({
      client_id: APP,
      client_secret: APP_SECRET,
      grant_type: "authorization_code",
      redirect_uri: REDIRECT,
    });
  });

  const refused = (message: string, code: number | null = 400) => ({
    ok: false,
    kind: "refused",
    error: { code, error_subcode: null, message },
  });

  test("is good once", async () => {
    const code = newCode();
    await oauth().exchange(code, REDIRECT);
    expect(await oauth().exchange(code, REDIRECT)).toEqual(refused("This authorization code has been used") as any);
  });

  test("is refused when unknown, too old, for another address or app, or with a wrong secret", async () => {
    const old = newCode();
    channel().host.clock.advance(HOUR_MS);
    const unknown = refused("Matching code was not found or was already used") as any;
    expect(await oauth().exchange("no-code", REDIRECT)).toEqual(unknown);
    expect(await oauth().exchange(old, REDIRECT)).toEqual(unknown);
    expect(await oauth().exchange(newCode(), `${REDIRECT}/`)).toEqual(
      refused("Redirect URI doesn't match original redirect URI") as any,
    );
    expect(await oauth({ appId: "1" }).exchange(newCode(), REDIRECT)).toEqual(refused("Invalid platform app") as any);
    expect(await oauth({ appSecrets: ["wrong"] }).exchange(newCode(), REDIRECT)).toEqual(
      refused("Error validating client secret.") as any,
    );
    expect(newTokens()).toEqual([]);
  });

  test.each([
    [["instagram_business_basic"], 0],
    [["instagram_business_manage_messages"], 1],
  ] as const)(
    "of somebody who unticked %p is refused, and no webhooks are asked for",
    async (declinedScopes, longTokens) => {
      channel().instagram.configure({ declinedScopes: [...declinedScopes] });
      expect(await oauth().exchange(newCode(), REDIRECT)).toMatchObject({
        ok: false,
        kind: "refused",
        error: { code: 10 },
      });
      expect(newTokens().filter(({ kind }) => kind === "long")).toHaveLength(longTokens);
      expect(
        callsTo(channel(), "subscribed_apps")
          .map(({ status }) => status)
          .filter((status) => status === 200),
      ).toEqual([]);
    },
  );

  test("of an account that may not be used is refused", async () => {
    channel().instagram.addAccount({ igUserId: ACCOUNT, isAuthorised: false });
    expect(await oauth().exchange(newCode(), REDIRECT)).toMatchObject({
      ok: false,
      kind: "refused",
      error: { code: 100 },
    });
  });

  test.each(["token.exchange", "account.get", "subscription.add"])(
    "whose token is refused at %s is a consent that is no good, not a token that could be replaced",
    async (operation) => {
      channel().instagram.failNext(1, { kind: "error", code: 190 }, { operation });
      expect(await oauth().exchange(newCode(), REDIRECT)).toMatchObject({
        ok: false,
        kind: "refused",
        error: { message: expect.stringContaining("(#190)") },
      });
    },
  );

  test.each(["code.exchange", "token.exchange", "account.get", "subscription.add"])(
    "is unavailable while %s has no clear answer",
    async (operation) => {
      const { instagram } = channel();
      for (const failure of [{ kind: "http", status: 503 }, { kind: "reset" }, { kind: "garbage" }] as const) {
        instagram.failNext(1, failure, { operation });
        expect(await oauth().exchange(newCode(), REDIRECT)).toMatchObject({ ok: false, kind: "unavailable" });
      }
      await instagram.stop();
      expect(await oauth().exchange("a-code", REDIRECT)).toMatchObject({ ok: false, kind: "unavailable" });
    },
  );

  test("says nothing of tokens and secrets when it fails", async () => {
    channel().instagram.failNext(
      1,
      { kind: "error", code: 100, message: `bad ${TOKEN}` },
      { operation: "token.exchange" },
    );
    const said = JSON.stringify(await oauth().exchange(newCode(), REDIRECT));
    for (const { value } of newTokens()) expect(said).not.toContain(value);
    expect(said).not.toContain(APP_SECRET);
  });
});

describe("renewing the token", () => {
  const refresh = () => channel().link.refresh?.();
  const asked = () => callsTo(channel(), "refresh_access_token").length;
  const accessToken = async () => (await channel().host.vault.read())["accessToken"];

  test.each([
    ["one of today", 0, 0],
    ["one with more than 10 days left", 50 * DAY_MS - 1, 0],
    ["one with 10 days left", 50 * DAY_MS, 1],
    ["one with a moment left", SIXTY_DAYS_MS - 1, 1],
  ])("is asked for in time, and not before: %s", async (_, ageMs, calls) => {
    channel().host.clock.advance(ageMs);
    expect(await refresh()).toEqual({ ok: true, value: true });
    expect(asked()).toBe(calls);
    expect((await accessToken()) === TOKEN).toBe(calls === 0);
  });

  test("stores the new token, reports until when it is valid, and sends go on with it", async () => {
    const { host, link } = channel();
    host.clock.advance(50 * DAY_MS);
    await refresh();
    const expiresAt = host.clock.now() + SIXTY_DAYS_MS;
    expect(host.reports).toEqual([{ state: "CONNECTED", profile: { igTokenExpiresAt: iso(expiresAt) } }]);
    expect(await host.vault.read()).toEqual({
      igUserId: ACCOUNT,
      accessToken: newTokens()[0]?.value ?? "",
      tokenIssuedAt: String(host.clock.now()),
      tokenExpiresAt: String(expiresAt),
    });
    link.connect();
    await host.settled();
    expect(host.reports.at(-1)?.state).toBe("CONNECTED");
    expect(await refresh()).toEqual({ ok: true, value: true });
    expect(asked()).toBe(1);
  });

  test("never asks for a token that is younger than 24 hours, however soon it runs out", async () => {
    const { host } = channel();
    const { link } = channel().open({
      igUserId: ACCOUNT,
      accessToken: TOKEN,
      tokenIssuedAt: String(host.clock.now()),
      tokenExpiresAt: String(host.clock.now() + 2 * DAY_MS),
    });
    host.clock.advance(DAY_MS - 1);
    await link.refresh?.();
    expect(asked()).toBe(0);
    host.clock.advance(1);
    await link.refresh?.();
    expect(asked()).toBe(1);
  });

  test("G-646 one that is refused has expired", async () => {
    const { host } = channel();
    host.clock.advance(SIXTY_DAYS_MS);
    expect(await refresh()).toMatchObject({ ok: false, kind: "token" });
    expect(host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
    expect(await accessToken()).toBe(TOKEN);
  });

  test.each([
    { kind: "http", status: 503 },
    { kind: "reset" },
    { kind: "error", code: 2 },
    { kind: "error", code: 4 },
  ] as const)("one without a clear answer stays as it is: %p", async (failure) => {
    const { host, instagram } = channel();
    host.clock.advance(50 * DAY_MS);
    instagram.failNext(1, failure, { operation: "token.refresh" });
    expect(await refresh()).toMatchObject({ ok: false, kind: "unavailable" });
    expect([await accessToken(), host.reports]).toEqual([TOKEN, []]);
  });

  test("is not kept where the channel was closed meanwhile", async () => {
    const { host, link } = channel();
    host.clock.advance(50 * DAY_MS);
    const answers = host.holdAnswers();
    const refreshing = link.refresh?.();
    await answers.met;
    await link.close();
    answers.pass();
    await refreshing;
    expect([await accessToken(), host.reports]).toEqual([TOKEN, []]);
  });

  test("without credentials asks nobody", async () => {
    expect(await channel().open({}).link.refresh?.()).toEqual({
      ok: false,
      kind: "credentials",
      reason: "the channel has no credentials",
    });
    channel().host.breakVault();
    expect(await refresh()).toMatchObject({ ok: false, kind: "credentials" });
    expect(channel().instagram.journal).toEqual([]);
  });
});
