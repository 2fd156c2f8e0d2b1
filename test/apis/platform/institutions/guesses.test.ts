import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { HOUR_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

const w = useWorld();
beforeEach(() => w.advance(2 * HOUR_MS));

const PASSWORD = "password-1";
const login = (email: string, password: string, from: string) =>
  w.platform("/v1/auth/login", { body: { email, password }, headers: { "x-forwarded-for": from } });
const brief = ({ status, headers }: Answer) =>
  status === 429 ? `429 after ${headers.get("retry-after")}` : String(status);

let network = 0;
/** An address in a /64 of its own. */
const elsewhere = () => `2001:db8:${(++network).toString(16)}:1::1`;

/** So many guesses, one after the other. */
const guesses = async (times: number, email: string, from: () => string) => {
  const answers: string[] = [];
  for (let n = 0; n < times; n++) answers.push(brief(await login(email, `guess-${n}`, from())));
  return answers;
};

describe("guesses at a password", () => {
  test("P-066 from one source wait 1 s after the fifth, then twice as long; earlier ones are not compared", async () => {
    const { email } = await w.institution();
    const from = elsewhere();
    expect(await guesses(5, email, () => from)).toEqual(Array<string>(5).fill("401"));
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      for (const password of ["guess", PASSWORD])
        expect(brief(await login(email, password, from))).toBe(`429 after ${seconds}`);
      await w.advance(seconds * SECOND_MS);
      expect(brief(await login(email, "guess", from))).toBe("401");
    }
  });

  test("P-066 delay nobody elsewhere; after its wait the source itself signs in, and its count is cleared", async () => {
    const { email } = await w.institution();
    const from = elsewhere();
    await guesses(9, email, () => from);
    expect(brief(await login(email, PASSWORD, elsewhere()))).toBe("200");
    await w.advance(HOUR_MS);
    expect(brief(await login(email, PASSWORD, from))).toBe("200");
    expect(await guesses(5, email, () => from)).toEqual(Array<string>(5).fill("401"));
  });

  test("P-066 from all addresses of one /64 count as one source's", async () => {
    const { email } = await w.institution();
    let host = 0;
    const answers = await guesses(6, email, () => `2001:db8:ffff:1::${(++host).toString(16)}`);
    expect(answers.at(-1)).toBe("429 after 1");
    expect(brief(await login(email, PASSWORD, "2001:db8:ffff:2::1"))).toBe("200");
  });

  test("P-066 that come all at the same moment are no more than five", async () => {
    const { email } = await w.institution();
    const from = elsewhere();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => login(email, `guess-${n}`, from)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
  });

  test("P-066 from many sources share a budget; it spares sources of the owner, and refills", async () => {
    const { email } = await w.institution();
    const home = elsewhere();
    expect(brief(await login(email, PASSWORD, home))).toBe("200");
    const answers = await guesses(60, email, elsewhere);
    expect(answers.filter((answer) => answer === "401")).toHaveLength(50);
    expect(answers.slice(50)).toEqual(Array<string>(10).fill("429 after 12"));
    await w.restart(); // where somebody is known outlives the process
    await guesses(60, email, elsewhere);
    expect(brief(await login(email, PASSWORD, elsewhere()))).toBe("429 after 12");
    expect(brief(await login(email, PASSWORD, home))).toBe("200");
    expect(brief(await login(email, PASSWORD, home.replace("::1", "::2")))).toBe("200");
    await w.advance(12 * SECOND_MS);
    expect(brief(await login(email, PASSWORD, elsewhere()))).toBe("200");
  });

  test("P-066 where the owner has signed in before wait a minute at most", async () => {
    const { email } = await w.institution();
    const home = elsewhere();
    made(await login(email, PASSWORD, home), 200);
    for (let n = 0; n < 14; n++) {
      await login(email, "guess", home);
      await w.advance(60 * SECOND_MS);
    }
    await login(email, "guess", home);
    expect(brief(await login(email, PASSWORD, home))).toBe("429 after 60");
  });

  test("P-067 an unknown e-mail is answered as a known one, guess by guess, with the same work", async () => {
    const { email } = await w.institution();
    const compared = spyOn(w.app.env.passwords, "check");
    const guessed = async (to: string, from: () => string) => {
      const answers: string[] = [];
      const before = compared.mock.calls.length;
      for (let n = 0; n < 12; n++) {
        const { status, text, headers } = await login(to, "guess", from());
        answers.push(JSON.stringify([status, text, headers.get("retry-after"), [...headers.keys()]]));
      }
      return { answers, compared: compared.mock.calls.slice(before).map(([, , password]) => password) };
    };
    const [one, other] = [elsewhere(), elsewhere()];
    expect(await guessed("nobody@example.com", () => one)).toEqual(await guessed(email, () => other));
    expect(await guessed("nobody@example.com", elsewhere)).toEqual(await guessed(email, elsewhere));
    compared.mockRestore();
  });
});

test("P-067 one host with a hundred logins at once keeps nobody else out, and is itself answered Retry-After", async () => {
  const { email } = await w.institution();
  let n = 0;
  const flood = Array.from({ length: 100 }, () =>
    login(`nobody-${++n}@example.com`, "guess", `2001:db8:fffe:1::${n.toString(16)}`),
  );
  const others = Array.from({ length: 5 }, () => login(email, PASSWORD, elsewhere()));
  expect((await Promise.all(others)).map(brief)).toEqual(Array<string>(5).fill("200"));
  const answers = await Promise.all(flood);
  expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(50);
  for (const { status, headers } of answers) if (status === 503) expect(headers.get("retry-after")).toBe("2");
});
