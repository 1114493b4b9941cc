import { argon2, randomBytes, timingSafeEqual } from "node:crypto";

/** Hashes a password with the parameters of Postern's argon2id hashes. */
export const argon2id = (message, nonce) =>
  new Promise((resolve, reject) => {
    const parameters = { message, nonce, memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
    argon2("argon2id", parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });

/**
 * The login page of oidc-provider, which provides no login page: a form for the email address and the password. All users
 * have the password of the benchmark.
 * @param users the email addresses by id.
 */
export function createLogin(users) {
  const ids = new Map([...users].map(([id, email]) => [email, id]));
  const salt = randomBytes(16);
  const stored = argon2id("correct horse battery staple", salt);
  return async (provider, request, response) => {
    if (request.method === "GET") {
      const { uid } = await provider.interactionDetails(request, response);
      const page = `<!doctype html><title>Sign in</title><form method="post" action="/login/${uid}"><input name="email"><input name="password"></form>`;
      return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const accountId = ids.get(form.get("email"));
    if (accountId === undefined || !timingSafeEqual(await argon2id(form.get("password") ?? "", salt), await stored))
      return response.writeHead(403).end();
    await provider.interactionFinished(request, response, { login: { accountId }, consent: {} }, { mergeWithLastSubmission: false });
  };
}
