import { expect, test } from "bun:test";
import { useConsole } from "../support/use-console.ts";

const s = useConsole({ isEmpty: true });

/** What still moves among everything that the styles move. */
const MOVING = `["spinner", "skeleton", "side open", "button"].flatMap((name) => {
  const node = document.createElement("div");
  node.className = name;
  node.append(document.createElement("span"));
  document.body.append(node);
  return [node, node.firstChild].flatMap((one) => {
    const { animationName, transitionDuration } = getComputedStyle(one);
    return animationName === "none" && transitionDuration === "0s" ? [] : [name];
  });
})`;

test("nothing moves for a person who wants less motion, and something does for others", async () => {
  const { page, faults } = await s.window.open({ language: "en" });
  faults.expect(/401 GET .*\/session/);
  await page.goto(s.server.consoleUrl);
  await page.locator("h1").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const moving = (): Promise<string[]> => page.evaluate<string[]>(MOVING);
  expect(await moving()).toEqual([]); // the tests' pages want less
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await moving()).toEqual(["spinner", "skeleton", "side open"]);
});
