import { createServer } from "node:http";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "@postern/cli";

interface AppSettings {
  readonly issuer: string;
  readonly clientSecret: string;
  readonly email: string;
  readonly password: string;
}

interface Dev {
  /** The JSON values that the command has written so far. */
  readonly written: readonly unknown[];
  readonly err: () => string;
  readonly code: Promise<number>;
  readonly end: () => void;
}

/** Starts `postern dev` on a free port. Resolves when the command listens or has ended. */
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

const settingsForApp = ({ written: [first] }: Dev): AppSettings => first as AppSettings;

test("postern dev provides a web client, a backend client and a user, and prints emails", async () => {
  const running = await dev();
  const { issuer, clientSecret, email } = settingsForApp(running);
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

test("postern dev prints text messages and calls", async () => {
  const lines: string[] = [];
  const seedFile = join(mkdtempSync(join(tmpdir(), "postern-dev-")), "seed.json");
  onTestFinished(() => rmSync(join(seedFile, ".."), { recursive: true }));
  const grant_types = ["password", "http://auth0.com/oauth/grant-type/mfa-oob"];
  writeFileSync(
    seedFile,
    JSON.stringify({ clients: [{ clientId: "native", settings: { name: "Native", app_type: "native", grant_types } }] }),
  );
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const stdout = { isTTY: false, write: (text: string) => Boolean(lines.push(text)) };
  const terminal = { cwd: tmpdir(), stdin: { isTTY: false }, stdout, stderr: stdout, untilEnded: () => promise };
  const code = run(["dev", "--port", "0", "--seed", seedFile], terminal as unknown as Parameters<typeof run>[1]);
  onTestFinished(async () => {
    end();
    await code;
  });
  await expect.poll(() => lines.join("")).toContain("Emails, text messages and calls:");
  const [, issuer = ""] = /listens at (\S+)/.exec(lines.join("")) ?? [];
  const [, clientSecret = ""] = /client secret "([^"]+)"/.exec(lines.join("")) ?? [];
  const [, email = "", password = ""] = /user +(\S+), password "([^"]+)"/.exec(lines.join("")) ?? [];
  const send = async (method: string, path: string, body: object, token?: string): Promise<{ readonly [name: string]: unknown }> => {
    const headers = { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    return (await (await fetch(`${issuer}${path}`, { method, headers, body: JSON.stringify(body) })).json()) as never;
  };
  const backend = { client_id: "backend", client_secret: clientSecret, audience: `${issuer}api/v2/` };
  const { access_token: token } = await send("POST", "oauth/token", { grant_type: "client_credentials", ...backend });
  const guardian = (path: string, body: object) => send("PUT", `api/v2/guardian/${path}`, body, String(token));
  await guardian("factors/sms", { enabled: true });
  await guardian("factors/phone/message-types", { message_types: ["sms", "voice"] });
  await guardian("policies", ["all-applications"]);
  const signIn = { grant_type: "password", client_id: "native", username: email, password };
  const { mfa_token: mfaToken } = await send("POST", "oauth/token", signIn);
  const phone_number = "+4915112345678";
  for (const channel of ["sms", "voice"])
    await send("POST", "mfa/associate", { authenticator_types: ["oob"], oob_channels: [channel], phone_number }, String(mfaToken));
  await expect.poll(() => lines.join("")).toMatch(/^Call: mfa_oob_code to \+4915112345678: code \d{6}$/m);
  expect(lines.join("")).toMatch(/^mfa_oob_code to \+4915112345678: code \d{6}$/m);
});

test("postern dev adds the data in a seed file, and rejects an invalid file", async () => {
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
          secret: "a-worker-secret-01234567",
          settings: { name: "Worker" },
          grants: { "https://api.example.com": ["read:invoices"] },
        },
      ],
    }),
  );
  const { issuer } = settingsForApp(running);
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: "worker",
    client_secret: "a-worker-secret-01234567",
    audience: "https://api.example.com",
  });
  const response = await fetch(`${issuer}oauth/token`, { method: "POST", body });
  expect(await response.json()).toMatchObject({ scope: "read:invoices" });

  for (const [text, message] of [
    ["{", "cannot be read as JSON"],
    ["[]", "is not a seed"],
    [{ tenantId: "other" }, "is not a seed"],
    [{ roles: [{ name: 7 }] }, "role '7' cannot be used"],
  ] as const) {
    const failed = await dev("--seed", seed(text));
    expect(await failed.code, message).not.toBe(0);
    expect(failed.err()).toContain(message);
    expect(failed.written).toEqual([{ error: expect.stringContaining(message) }]);
  }
});

test("postern dev rejects a port in use, an invalid port and an invalid callback", async () => {
  const occupied = createServer().listen(0, "127.0.0.1");
  await once(occupied, "listening");
  onTestFinished(() => void occupied.close());
  const address = occupied.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  for (const [option, value, message] of [
    ["--port", port, `port ${port} is in use`],
    ["--port", "70000", "'70000' is not a port"],
    ["--port", "web", "'web' is not a port"],
    ["--callback", "localhost:3000", "is not a callback"],
    ["--callback", "javascript:alert(1)", "is not a callback"],
  ] as const) {
    const failed = await dev(option, value);
    expect(await failed.code, message).toBe(2);
    expect(failed.err()).toContain(message);
  }
});
