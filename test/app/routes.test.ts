import type { Sessions } from "@postern/app";
import { toExpressSessions } from "@postern/express";
import { toHonoSessions } from "@postern/hono";
import { toNextSessions } from "@postern/next";
import express from "express";
import { Hono } from "hono";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { redirectOf, readResult, submitStep } from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import { appUrl, openApp, type RequestHandler } from "./app-browser.ts";
import { sendOverHttp } from "../support/send-over-http.ts";

/** Serves a listener. @returns a function that sends a request for a URL of the app to it. */
async function serve(listener: RequestListener): Promise<RequestHandler> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (request) => {
    const { pathname, search } = new URL(request.url);
    return sendOverHttp(new Request(origin + pathname + search, { method: request.method, headers: request.headers }));
  };
}

const frameworks: { readonly [name: string]: (sessions: Sessions) => Promise<RequestHandler> } = {
  "sessions.handle": async (sessions) => async (request) => (await sessions.handle(request)) ?? new Response(null, { status: 404 }),
  Express: (sessions) => serve(express().use(toExpressSessions(sessions, appUrl).routes)),
  Hono: async (sessions) => {
    const app = new Hono().use(toHonoSessions(sessions, appUrl).routes);
    return async (request) => app.fetch(request);
  },
  "Next.js": async (sessions) => {
    const unused = (): never => {
      throw new Error("not used");
    };
    const { handlers } = toNextSessions(sessions, appUrl, { headers: unused, cookies: unused, redirect: unused });
    return (request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
  },
};

test.for(Object.entries(frameworks))("%s serves the routes with a final slash", async ([, framework]) => {
  let handle: RequestHandler = async () => new Response();
  const { service, sessions, openBrowser } = await openApp({}, () => (request) => handle(request));
  handle = await framework(sessions);
  const browser = openBrowser();
  const started = await browser.send("/login/?returnTo=/private");
  const callback = new URL(await browser.authorize(started.headers.get("location") ?? "", service.ada));
  callback.pathname += "/";
  expect((await browser.send(callback.href)).headers.get("location")).toBe(`${appUrl}private`);
  expect((await browser.send("/logout/", { method: "POST" })).headers.get("location")).toBe(appUrl);
  expect([...browser.cookies.keys()]).toEqual([]);
  expect((await browser.send("/login//")).status).toBe(404);
});

test("routes whose configured path has a final slash are served without it as well", async () => {
  const { sessions } = await openApp({ paths: { login: "sign-in/" } });
  for (const path of ["sign-in", "sign-in/"]) expect((await sessions.handle(new Request(appUrl + path)))?.status).toBe(303);
});

/** Creates an invitation of Ada to an organization. @returns the ticket and the organization's id. */
async function invite({ service, client }: Awaited<ReturnType<typeof openApp>>, name = "acme") {
  const organizations = organizationsBy(service.manage);
  const organization = await organizations.create(name);
  await service.manage.create(`/api/v2/organizations/${organization}/enabled_connections`, {
    connection_id: await organizations.connection("Username-Password-Authentication"),
  });
  await service.manage("PATCH", `/api/v2/clients/${client.clientId}`, {
    initiate_login_uri: `${appUrl}login`,
    organization_usage: "allow",
  });
  const { invitation_url: url } = await service.manage.create(`/api/v2/organizations/${organization}/invitations`, {
    client_id: client.clientId,
    inviter: { name: "Bob" },
    invitee: { email: service.ada.email },
    send_invitation_email: false,
  });
  return { organization, url: new URL(String(url)) };
}

test("an invitation link at the sign-in route makes the user a member, who is signed in to the organization", async () => {
  const app = await openApp();
  const { service, sessions } = app;
  const { organization, url } = await invite(app);
  const browser = app.openBrowser();
  const location = (await browser.send(url.pathname + url.search)).headers.get("location") ?? "";
  expect(new URL(location).searchParams.get("invitation")).toBe(url.searchParams.get("invitation"));
  const first = await readResult(await browser.idp.get(location));
  if (first.kind !== "login") throw new Error(JSON.stringify(first));
  await submitStep(browser.idp, first.state, { action: "continue", identifier: service.ada.email });
  await submitStep(browser.idp, first.state, { action: "sign-in", password: service.ada.password });
  const result = redirectOf(await submitStep(browser.idp, first.state, { action: "accept-invitation" }));
  if (result.kind !== "response") throw new Error(JSON.stringify(result));
  const response = await browser.send(`${result.to}?${new URLSearchParams(result.parameters)}`);
  expect([response.status, response.headers.get("location")]).toEqual([303, appUrl]);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  expect(await sessions.getSession({ url: appUrl, headers: new Headers({ cookie }) })).toMatchObject({ organizationId: organization });
});

test("an invitation link cannot replace the organization of the options, and a link without an invitation names none", async () => {
  const app = await openApp({ organization: "org_fixed" });
  const organizationOf = async (sessions: Sessions, query: string) => {
    const response = await sessions.handle(new Request(`${appUrl}login?${query}`));
    return new URL(response?.headers.get("location") ?? "").searchParams.get("organization");
  };
  expect(await organizationOf(app.sessions, "invitation=ticket&organization=org_other")).toBe("org_fixed");
  const { sessions } = await openApp();
  expect(await organizationOf(sessions, "invitation=ticket&organization=org_other")).toBe("org_other");
  expect(await organizationOf(sessions, "organization=org_other")).toBeNull();
  const url = await sessions.signIn({ url: appUrl, headers: new Headers() }, { invitation: "ticket" });
  expect(url.searchParams.get("invitation")).toBe("ticket");
});
