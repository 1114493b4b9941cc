import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { newPasswordScript } from "../../packages/core/src/login/components/new-password-script.ts";
import { pageScript } from "../../packages/core/src/login/components/page-script.ts";

test("the page script contains no regular expression literal that an older script engine cannot parse", () => {
  expect(pageScript).toContain(newPasswordScript.trim().slice(0, 40));
  expect(pageScript).not.toMatch(/\/[^/\n"]*\\[pP]\{/);
});

test("a script engine without property escapes skips the list of requirements and runs the rest of the script", () => {
  const older = (pattern: string, flags?: string): RegExp => {
    if (/\\[pP]\{/.test(pattern) || flags?.includes("s") === true) throw new SyntaxError("invalid group");
    return new RegExp(pattern, flags);
  };
  const queried: string[] = [];
  const document = { querySelectorAll: (selector: string) => (queried.push(selector), []) };
  const run = (engine: unknown): unknown => runInNewContext(`${newPasswordScript}; "complete";`, { RegExp: engine, document });
  expect(run(older)).toBe("complete");
  expect(queried).toEqual([]);
  expect(run(RegExp)).toBe("complete");
  expect(queried).toEqual(["[data-demands-of]"]);
});
