import { createServer } from "node:http";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "@postern/cli";

interface Known {
  readonly issuer: string;
  readonly clientSecret: string;
  readonly email: string;
  readonly password: string;
}

interface Dev {
  /** What was written so far, JSON value by JSON value. */
  readonly written: readonly unknown[];
  readonly err: () => string;
  readonly code: Promise<number>;
  readonly end: () => void;
}

/** Starts `postern dev` on a free port, and answers when it listens or ended. */
async function dev(...args: readonly string[]): Promise<Dev> {
  const written: unknown[] = [];
  let err = "";
  const started = Promise.withResolvers<void>();
  const stdout = {
    write: (text: string) => {
      written.push(JSON.parse(text));
      started.resolve();
      return true;
    },
  };
  const stderr = { isTTY: false, write: (text: string) => Boolean((err += text)) };
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const terminal = { cwd: tmpdir(), stdin: { isTTY: false }, stdout, stderr, untilEnded: () => promise };
  const code = run(["dev", "--port", "0", ...args, "--json"], terminal as unknown as Parameters<typeof run>[1]);
  onTestFinished(async () => {
    end();
    await code;
  });
  await Promise.race([started.promise, code]);
  return { written, err: () => err, code, end };
}

const known = ({ written: [first] }: Dev): Known => first as Known;

test("an app, a backend and a person are there, and mail is shown", async () => {
  const running = await dev();
  const { issuer, clientSecret, email } = known(running);
  const configuration = (await (await fetch(`${issuer}.well-known/openid-configuration`)).json()) as { issuer: string };
  expect(configuration.issuer).toBe(issuer);

  const token = await fetch(`${issuer}oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`backend:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials", audience: `${issuer}api/v2/` }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const users = await fetch(`${issuer}api/v2/users`, { headers: { authorization: `Bearer ${access_token}` } });
  expect(await users.json()).toMatchObject([{ email }]);

  await fetch(`${issuer}dbconnections/change_password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: "web", email, connection: "Username-Password-Authentication" }),
  });
  await expect
    .poll(() => running.written.at(1))
    .toMatchObject({ template: "reset_email", to: email, link: expect.stringContaining(issuer) });

  running.end();
  expect(await running.code).toBe(0);
  await expect(fetch(issuer)).rejects.toThrow("fetch failed");
});

test("a seed gives it what the app needs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-dev-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const seed = (value: unknown): string => {
    const file = join(folder, "seed.json");
    writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
    return file;
  };
  const apis = [{ identifier: "https://api.example.com", scopes: [{ value: "read:invoices" }] }];
  const running = await dev(
    "--seed",
    seed({
      apis,
      clients: [
        {
          clientId: "worker",
          secret: "a-worker-of-its-own-0123",
          settings: { name: "Worker" },
          grants: { "https://api.example.com": ["read:invoices"] },
        },
      ],
    }),
  );
  const { issuer } = known(running);
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: "worker",
    client_secret: "a-worker-of-its-own-0123",
    audience: "https://api.example.com",
  });
  const response = await fetch(`${issuer}oauth/token`, { method: "POST", body });
  expect(await response.json()).toMatchObject({ scope: "read:invoices" });

  for (const [text, said] of [
    ["{", "cannot be read as JSON"],
    ["[]", "is no seed"],
    [{ tenantId: "other" }, "is no seed"],
    [{ roles: [{ name: 7 }] }, "role '7' cannot be used"],
  ] as const) {
    const refused = await dev("--seed", seed(text));
    expect(await refused.code, said).not.toBe(0);
    expect(refused.err()).toContain(said);
    expect(refused.written).toEqual([{ error: expect.stringContaining(said) }]);
  }
});

test("a port that is taken, a port that is none and a callback that is none are named", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  for (const [option, value, said] of [
    ["--port", port, `port ${port} is taken`],
    ["--port", "70000", "'70000' is no port"],
    ["--port", "web", "'web' is no port"],
    ["--callback", "localhost:3000", "is no callback"],
    ["--callback", "javascript:alert(1)", "is no callback"],
  ] as const) {
    const refused = await dev(option, value);
    expect(await refused.code, said).toBe(2);
    expect(refused.err()).toContain(said);
  }
});
