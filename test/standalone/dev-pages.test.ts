import { request } from "node:http";
import { expect, test } from "vitest";
import { createDevPages } from "../../examples/standalone/src/dev-pages.ts";
import { managementToken, run, start, temporaryFolder, type Ready } from "./start.ts";

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Asks for a path below the server's address, with headers that `fetch` would not let anybody choose. */
function ask({ url }: Ready, path: string, headers: { readonly [name: string]: string }, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers }, (response) => {
      let text = "";
      response.on("data", (part) => (text += String(part)));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    sent.on("error", reject).end();
  });
}

test("a page of a stranger that a changed name leads here (DNS rebinding) reads no mail, and no account's name", async () => {
  const { ready } = await start(temporaryFolder(), { DATABASE_URL: "memory:" });
  const { port } = new URL(ready.url);
  for (const host of [`evil.test:${port}`, "192.168.1.5", `localhost.evil.test:${port}`, `127.0.0.1.evil.test:${port}`]) {
    for (const headers of [{ host }, { host: `localhost:${port}`, "x-forwarded-host": host }]) {
      expect([host, (await ask(ready, "dev/inbox", { ...headers, accept: "application/json" })).status]).toEqual([host, 404]);
      expect((await ask(ready, "dev/demo/sign-in", headers, "POST")).status).toBe(404);
      const home = await ask(ready, "", headers);
      expect(home.status).toBe(200);
      for (const name of [
        ready.user.email,
        ready.user.password,
        ready.spa_client.client_id,
        ready.web_client.client_id,
        ready.management_client.client_id,
      ]) {
        expect(home.text).not.toContain(name);
      }
    }
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `acme.localhost:${port}`]) {
    expect([host, (await ask(ready, "dev/inbox", { host })).status]).toEqual([host, 200]);
    const home = await ask(ready, "", { host });
    expect(home.text).toContain(ready.user.email.replace("@", "<wbr />@"));
    expect(home.text).toContain(`>${ready.user.password}</code>`);
  }
});

test("under a public issuer they are not there, whatever the request calls itself; DEV_PAGES=public brings them", async () => {
  const { ready } = await start(temporaryFolder(), { DATABASE_URL: "memory:", ISSUER: "https://login.example.test/" });
  expect((await ask(ready, "dev/inbox", {})).status).toBe(404);
  const home = await ask(ready, "", {});
  expect(home.text).not.toContain("admin");
  expect(home.text).not.toContain("dev/");

  const variables = { DATABASE_URL: "memory:", ISSUER: "https://login.example.test/", DEV_PAGES: "public" };
  const open = await start(temporaryFolder(), variables);
  expect((await ask(open.ready, "dev/inbox", { host: "login.example.test" })).status).toBe(200);
  expect((await open.stop()).errors).toMatch(/DEV_PAGES/);
});

test("DEV_PAGES=public shows nobody the password, also under names of this machine, and says where it is kept", async () => {
  const given = "a-password-from-the-environment";
  for (const [variables, place] of [
    [{ DATABASE_URL: "memory:", ISSUER: "https://login.example.test/" }, "the output of the server"],
    [{ DATABASE_URL: "memory:", HOST: "0.0.0.0", ADMIN_PASSWORD: given }, "the variable ADMIN_PASSWORD"],
    [{ HOST: "0.0.0.0" }, "postern.secrets.json, next to the database"],
  ] as const) {
    const { ready } = await start(temporaryFolder(), { ...variables, DEV_PAGES: "public" });
    for (const host of ["login.example.test", "localhost"]) {
      const { text } = await ask(ready, "", { host });
      expect(text).toContain(`The password is stored in ${place}.`);
      expect(text).not.toContain(ready.user.password);
    }
  }
  // The setting itself takes nothing away from this machine.
  const { ready } = await start(temporaryFolder(), { DATABASE_URL: "memory:", DEV_PAGES: "public" });
  expect((await ask(ready, "", { host: "localhost" })).text).toContain(`>${ready.user.password}</code>`);
  expect((await ask(ready, "", { host: "evil.test" })).text).not.toContain(ready.user.password);
});

test("a password that signs nobody in any more is not shown", async () => {
  const { ready } = await start(temporaryFolder(), { DATABASE_URL: "memory:" });
  const host = new URL(ready.url).host;
  expect((await ask(ready, "", { host })).text).toContain(ready.user.password);
  const headers = { authorization: `Bearer ${await managementToken(ready)}`, "content-type": "application/json" };
  const users = (await (await fetch(`${ready.url}api/v2/users`, { headers })).json()) as { user_id: string }[];
  const user = `${ready.url}api/v2/users/${encodeURIComponent(users[0]?.user_id ?? "")}`;
  const body = JSON.stringify({ password: "Another-one-than-before-1" });
  expect((await fetch(user, { method: "PATCH", headers, body })).status).toBe(200);
  const { text } = await ask(ready, "", { host });
  expect(text).toContain("The user has another password");
  expect(text).not.toContain(ready.user.password);
});

test("a person who starts the server is shown no inbox that is not served", async () => {
  const printed = async (variables: { readonly [name: string]: string }) => {
    const { firstLine, output } = run(temporaryFolder(), { DATABASE_URL: "memory:", LOG_FORMAT: "pretty", ...variables });
    await firstLine;
    await expect.poll(() => output.at(-2)).toContain("Password");
    return output.join("\n");
  };
  expect(await printed({})).toContain("dev/inbox");
  expect(await printed({ ISSUER: "https://login.example.test/" })).not.toContain("dev/inbox");
});

test.for([
  ["http://localhost:3000/", "127.0.0.1", true],
  ["http://localhost:3000/", "::1", true],
  ["https://127.8.9.1/", "localhost", true],
  ["http://localhost:3000/", "0.0.0.0", false],
  ["http://localhost:3000/", "::", false],
  ["http://localhost:3000/", "10.0.0.7", false],
  ["https://localhost.example.test/", "127.0.0.1", false],
] as const)("issuer %s on HOST %s: served to this machine %s", ([issuer, host, served]) => {
  const pages = createDevPages({ setting: "loopback", issuer, host });
  expect(pages.isOn).toBe(served);
  expect(pages.areFor(new Headers({ host: "localhost:3000" }))).toBe(served);
  expect(pages.areFor(new Headers())).toBe(false);
  const open = createDevPages({ setting: "public", issuer, host });
  expect(open.areFor(new Headers({ host: "anything" }))).toBe(true);
  expect(open.isLocal(new Headers({ host: "localhost:3000" }))).toBe(served);
  expect(open.isLocal(new Headers({ host: "anything" }))).toBe(false);
});
