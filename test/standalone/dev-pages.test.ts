import { request } from "node:http";
import { expect, test } from "vitest";
import { createDevPages } from "../../examples/standalone/src/dev-pages.ts";
import { managementToken, runExample, startExample, temporaryFolder, type ReadyLine } from "./start.ts";

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a request with headers that `fetch` would not allow. */
function sendRequest({ url }: ReadyLine, path: string, headers: { readonly [name: string]: string }, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers }, (response) => {
      let text = "";
      response.on("data", (part) => (text += String(part)));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    sent.on("error", reject).end();
  });
}

test("a website whose host name resolves to this machine (DNS rebinding) cannot read emails or account names", async () => {
  const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
  const { port } = new URL(ready.url);
  for (const host of [`evil.test:${port}`, "192.168.1.5", `localhost.evil.test:${port}`, `127.0.0.1.evil.test:${port}`]) {
    for (const headers of [{ host }, { host: `localhost:${port}`, "x-forwarded-host": host }]) {
      expect([host, (await sendRequest(ready, "dev/inbox", { ...headers, accept: "application/json" })).status]).toEqual([host, 404]);
      expect((await sendRequest(ready, "dev/demo/sign-in", headers, "POST")).status).toBe(404);
      const home = await sendRequest(ready, "", headers);
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
    expect([host, (await sendRequest(ready, "dev/inbox", { host })).status]).toEqual([host, 200]);
    const home = await sendRequest(ready, "", { host });
    expect(home.text).toContain(ready.user.email.replace("@", "<wbr />@"));
    expect(home.text).toContain(`>${ready.user.password}</code>`);
  }
});

test("a public issuer disables the dev pages for any Host header, and DEV_PAGES=public enables them", async () => {
  const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:", ISSUER: "https://login.example.test/" });
  expect((await sendRequest(ready, "dev/inbox", {})).status).toBe(404);
  const home = await sendRequest(ready, "", {});
  expect(home.text).not.toContain("admin");
  expect(home.text).not.toContain("dev/");

  const variables = { DATABASE_URL: "memory:", ISSUER: "https://login.example.test/", DEV_PAGES: "public" };
  const open = await startExample(temporaryFolder(), variables);
  expect((await sendRequest(open.ready, "dev/inbox", { host: "login.example.test" })).status).toBe(200);
  expect((await open.stop()).errors).toMatch(/DEV_PAGES/);
});

test("with DEV_PAGES=public, the home page names the location of the password, and contains the password only on a local server", async () => {
  const given = "a-password-from-the-environment";
  for (const [variables, storage] of [
    [{ DATABASE_URL: "memory:", ISSUER: "https://login.example.test/" }, "the output of the server"],
    [{ DATABASE_URL: "memory:", HOST: "0.0.0.0", ADMIN_PASSWORD: given }, "the variable ADMIN_PASSWORD"],
    [{ HOST: "0.0.0.0" }, "postern.secrets.json, next to the database"],
  ] as const) {
    const { ready } = await startExample(temporaryFolder(), { ...variables, DEV_PAGES: "public" });
    for (const host of ["login.example.test", "localhost"]) {
      const { text } = await sendRequest(ready, "", { host });
      expect(text).toContain(`The password is stored in ${storage}.`);
      expect(text).not.toContain(ready.user.password);
    }
  }
  // The setting does not hide the password on a server that only this machine can reach.
  const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:", DEV_PAGES: "public" });
  expect((await sendRequest(ready, "", { host: "localhost" })).text).toContain(`>${ready.user.password}</code>`);
  expect((await sendRequest(ready, "", { host: "evil.test" })).text).not.toContain(ready.user.password);
});

test("the home page does not contain the password after the user changed it", async () => {
  const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
  const host = new URL(ready.url).host;
  expect((await sendRequest(ready, "", { host })).text).toContain(ready.user.password);
  const headers = { authorization: `Bearer ${await managementToken(ready)}`, "content-type": "application/json" };
  const users = (await (await fetch(`${ready.url}api/v2/users`, { headers })).json()) as { user_id: string }[];
  const user = `${ready.url}api/v2/users/${encodeURIComponent(users[0]?.user_id ?? "")}`;
  const body = JSON.stringify({ password: "Another-one-than-before-1" });
  expect((await fetch(user, { method: "PATCH", headers, body })).status).toBe(200);
  const { text } = await sendRequest(ready, "", { host });
  expect(text).toContain("The password is not the one");
  expect(text).not.toContain(ready.user.password);
});

test("the printed start message contains the URL of the inbox only if the inbox is available", async () => {
  const printed = async (variables: { readonly [name: string]: string }) => {
    const { firstLine, output } = runExample(temporaryFolder(), { DATABASE_URL: "memory:", LOG_FORMAT: "pretty", ...variables });
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
] as const)("with issuer %s and HOST %s, the dev pages are available on this machine: %s", ([issuer, host, isLocal]) => {
  const pages = createDevPages({ setting: "loopback", issuer, host });
  expect(pages.isOn).toBe(isLocal);
  expect(pages.areShownTo(new Headers({ host: "localhost:3000" }))).toBe(isLocal);
  expect(pages.areShownTo(new Headers())).toBe(false);
  const open = createDevPages({ setting: "public", issuer, host });
  expect(open.areShownTo(new Headers({ host: "anything" }))).toBe(true);
  expect(open.isLocal(new Headers({ host: "localhost:3000" }))).toBe(isLocal);
  expect(open.isLocal(new Headers({ host: "anything" }))).toBe(false);
});
