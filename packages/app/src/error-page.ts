import type { SignInError } from "./sign-in-error.ts";

/** A plain page that says why a sign-in came to nothing, with a way to try again. It has no scripts and no words of anybody else's: what the service answered is for the app's log. */
export function errorPage({ code }: SignInError, login: URL): Response {
  const why = code === "access_denied" ? "The sign-in was refused or cancelled." : "The sign-in could not be finished.";
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Sign-in</title>
<body style="font: 1.1rem/1.5 system-ui; max-width: 32rem; margin: 20vh auto; padding: 0 1rem">
<h1 style="font-size: 1.5rem">${why}</h1>
<p><a href="${login.href.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}">Sign in again</a></p>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  };
  return new Response(html, { status: code === "access_denied" ? 403 : 400, headers });
}
