/**
 * Whether an unknown user, a wrong password and a throttled account can be told apart by the time that the answer takes: at the login page and at the
 * password grant, over HTTP. 200 samples of each, one after the other in turn; the medians may differ by 5 % of one hash. Run it on a machine that does
 * nothing else:
 *
 *     pnpm timing
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { bundle, work } from "../bench/lib/build.ts";

await bundle(["../timing/password-login.ts"], join(work, "timing"));
const { status } = spawnSync(process.execPath, [join(work, "timing/password-login.mjs")], { stdio: "inherit" });
process.exitCode = status ?? 1;
