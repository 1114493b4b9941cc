/**
 * Whether an unknown user, a wrong password and a throttled account can be told apart by the time that the answer takes: at the login page and at the
 * password grant, over HTTP. 200 samples of each, one after the other in turn; the medians may differ by 5 % of one hash. Run it on a machine that does
 * nothing else. Then the same of one-time codes and of new passwords, for people with an account and without; there the medians may differ by 15 % of themselves. Then of
 * sign-ups, with an address that somebody has and with one that is free, by 5 % of one hash again:
 *
 *     pnpm timing
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { bundle, work } from "../bench/lib/build.ts";

const programs = ["password-login", "one-time-code", "reset", "sign-up"];
for (const program of programs) await bundle([`../timing/${program}.ts`], join(work, "timing"));
const statuses = programs.map(
  (program) => spawnSync(process.execPath, [join(work, `timing/${program}.mjs`)], { stdio: "inherit" }).status ?? 1,
);
process.exitCode = Math.max(...statuses);
