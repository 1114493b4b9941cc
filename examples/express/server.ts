import { app } from "./app.ts";

const { PORT = "3000" } = process.env;

/** Only this machine reaches it, a TLS proxy for example. */
export const server = app.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://localhost:${PORT}/auth/.well-known/openid-configuration`);
});
