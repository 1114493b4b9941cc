import { copyFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import type { Facts } from "../operation.ts";
import { work } from "./build.ts";
import { startProcess } from "./process.ts";

/** The `limits` that are compared. The second entry is the setting that the docs of `limits.inFlight` recommend for short waits. */
const settings = [{}, { inFlight: 16, waitMs: 50 }] as const;
const password = "correct horse battery staple";
/** Many, because parallel logins of one user count as guesses until they succeed. */
const users = 400;
const connection = "Username-Password-Authentication";

interface Response {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  /** Milliseconds. */
  readonly took: number;
}

type Send = (i: number) => Promise<Response>;

/**
 * Measures password logins (the password grant, argon2id) at three times the rate that the server can handle. The load
 * is open: each request is sent at its time, whether or not earlier ones have a response.
 * @param facts those of the database `template`.
 * @param seconds how long each load runs.
 * @returns the rows of a Markdown table.
 */
export async function measureOverload({
  facts,
  template,
  factsFile,
  seconds,
}: {
  readonly facts: Facts;
  readonly template: string;
  readonly factsFile: string;
  readonly seconds: number;
}): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [i, limits] of settings.entries()) {
    const database = join(work, `overload-${i}.db`);
    copyFileSync(template, database);
    const server = await startProcess(
      join(work, "servers/postern.mjs"),
      [database, factsFile, "argon2id"],
      "/.well-known/openid-configuration",
      { env: { POSTERN_BENCH_LIMITS: JSON.stringify(limits) } },
    );
    const send = await prepare(`http://127.0.0.1:${server.port}/`, facts);
    await runClosed(send, 2);
    const normal = await runClosed(send, seconds);
    const peak = normal.filter(({ status }) => status === 200).length / seconds;
    const overloaded = await runOpen(send, 3 * peak, seconds);
    const accepted = overloaded.filter(({ status }) => status === 200);
    const rejected = overloaded.filter(({ status }) => status === 503);
    const other = overloaded.length - accepted.length - rejected.length;
    const [before, after] = [p99(normal), p99(accepted)];
    rows.push([
      Object.keys(limits).length === 0 ? "default" : JSON.stringify(limits),
      `${peak.toFixed(0)}/s; p99 ${before.toFixed(0)} ms`,
      `${(accepted.length / seconds).toFixed(0)}/s, ${((accepted.length / seconds / peak) * 100).toFixed(0)} %; p99 ${after.toFixed(0)} ms, ${(after / before).toFixed(1)}x`,
      `${rejected.length}, ${rejected.filter(({ hasRetryAfter }) => hasRetryAfter).length} with Retry-After; p99 ${p99(rejected).toFixed(0)} ms`,
      String(other),
    ]);
    await server.stop();
  }
  const header = ["limits", "8 callers", "three times as many logins: accepted", "503", "other responses"];
  return [header, header.map((_, i) => (i === 0 ? "---" : "---:")), ...rows];
}

/** Creates the users and an app with the password grant. @returns a function that signs the `i`th user in. */
async function prepare(address: string, facts: Facts): Promise<Send> {
  const host = new URL(facts.issuer).host;
  const manage = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${address}api/v2/${path}`, {
      method,
      headers: { host, "content-type": "application/json", authorization: `Bearer ${facts.token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const grant = "http://auth0.com/oauth/grant-type/password-realm";
  const settingsOfApp = { name: "Overload", app_type: "regular_web", grant_types: [grant] };
  // The responses are those of the Management API.
  const app = (await manage("POST", "clients", settingsOfApp)) as { readonly client_id: string; readonly client_secret: string };
  const [database] = (await manage("GET", `connections?name=${connection}`)) as readonly { readonly id: string }[];
  await manage("PATCH", `connections/${database?.id}`, { enabled_clients: [app.client_id] });
  const email = (i: number): string => `overload${i % users}@example.com`;
  for (let i = 0; i < users; i++) await manage("POST", "users", { connection, email: email(i), password, email_verified: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 4000 });
  return (i) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({
        grant_type: grant,
        realm: connection,
        client_id: app.client_id,
        client_secret: app.client_secret,
        username: email(i),
        password,
      });
      const began = performance.now();
      const outgoing = httpRequest(
        new URL("oauth/token", address),
        { method: "POST", agent, headers: { host, "content-type": "application/json", "content-length": Buffer.byteLength(body) } },
        (response) => {
          response.resume();
          response.on("end", () => {
            const { statusCode: status = 0, headers } = response;
            resolve({ status, hasRetryAfter: headers["retry-after"] !== undefined, took: performance.now() - began });
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
}

/** Eight callers, each of which sends a request when it has the response to the last one. */
async function runClosed(send: Send, seconds: number): Promise<readonly Response[]> {
  const end = performance.now() + seconds * 1000;
  const responses: Response[] = [];
  const call = async (caller: number): Promise<void> => {
    while (performance.now() < end) responses.push(await send(caller));
  };
  await Promise.all(Array.from({ length: 8 }, (_, caller) => call(caller)));
  return responses;
}

/** Sends requests at a rate that does not depend on the responses. */
async function runOpen(send: Send, perSecond: number, seconds: number): Promise<readonly Response[]> {
  const began = performance.now();
  const requests: Promise<Response>[] = [];
  while (performance.now() - began < seconds * 1000) {
    const due = ((performance.now() - began) / 1000) * perSecond;
    while (requests.length < due) requests.push(send(requests.length));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return Promise.all(requests);
}

function p99(responses: readonly Response[]): number {
  const sorted = responses.map(({ took }) => took).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
