/**
 * Checks that the response time does not reveal whether a user is unknown, a password is wrong or an account is
 * throttled. Sends requests over HTTP to the login page and with the password grant. Takes 200 samples of each case in
 * turn. The medians may differ by 5 % of one hash. Run it on an idle machine. Then checks one-time codes and password
 * resets for users with an account and for visitors without one. Their medians may differ by 15 % of the shorter one.
 * Then checks sign-ups with an existing and with a new email address, again by 5 % of one hash.
 * ⏎ pnpm timing
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { bundlePrograms, work } from "../bench/lib/build.ts";

const programs = ["password-login", "one-time-code", "reset", "sign-up"];
for (const program of programs) await bundlePrograms([`../timing/${program}.ts`], join(work, "timing"));
const statuses = programs.map(
  (program) => spawnSync(process.execPath, [join(work, `timing/${program}.mjs`)], { stdio: "inherit" }).status ?? 1,
);
process.exitCode = Math.max(...statuses);
