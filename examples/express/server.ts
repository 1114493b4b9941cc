import { app } from "./app.ts";

app.listen(3000, () => console.log("http://localhost:3000/auth/.well-known/openid-configuration"));
