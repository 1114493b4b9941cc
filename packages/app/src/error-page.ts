import type { SignInError } from "./sign-in-error.ts";

/**
 * Returns a plain page that explains why a sign-in failed or is not sufficient, with a link to try again. The page has no scripts. It omits
 * the error description from the service, which belongs in the app's log.
 */
export function errorPage({ code }: SignInError, login: URL): Response {
  const why = texts[code] ?? "The sign-in could not be completed.";
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
  return new Response(html, { status: code in texts ? 403 : 400, headers });
}

const texts: { readonly [code: string]: string } = {
  access_denied: "The sign-in was denied or cancelled.",
  unmet_authentication_requirements: "You could not sign in in the way that this page requires.",
  insufficient_user_authentication: "Too much time passed since you signed in. Sign in again to open this page.",
};
