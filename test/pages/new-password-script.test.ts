import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { newPasswordScript } from "../../packages/core/src/login/components/new-password-script.ts";
import { pageScript } from "../../packages/core/src/login/components/page-script.ts";

test("the page script has no regular expression literal that an older engine cannot read", () => {
  expect(pageScript).toContain(newPasswordScript.trim().slice(0, 40));
  expect(pageScript).not.toMatch(/\/[^/\n"]*\\[pP]\{/);
});

test("an engine without property escapes skips the list of demands and runs the rest of the script", () => {
  const older = (pattern: string, flags?: string): RegExp => {
    if (/\\[pP]\{/.test(pattern) || flags?.includes("s") === true) throw new SyntaxError("invalid group");
    return new RegExp(pattern, flags);
  };
  const asked: string[] = [];
  const document = { querySelectorAll: (selector: string) => (asked.push(selector), []) };
  const run = (engine: unknown): unknown => runInNewContext(`${newPasswordScript}; "ran on";`, { RegExp: engine, document });
  expect(run(older)).toBe("ran on");
  expect(asked).toEqual([]);
  expect(run(RegExp)).toBe("ran on");
  expect(asked).toEqual(["[data-demands-of]"]);
});
