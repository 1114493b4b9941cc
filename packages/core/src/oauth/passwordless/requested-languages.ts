/** `X-Request-Language`, written like `Accept-Language`, as `ui_locales` are: best first, with spaces between. */
export function requestedLanguages(request: Request): string | undefined {
  const header = request.headers.get("x-request-language");
  return header
    ?.replaceAll(/;[^,]*/g, "")
    .replaceAll(",", " ")
    .slice(0, 255);
}
