import { consoleTexts } from "../console-texts.ts";
import { shownUserSchema } from "../resources.ts";
import { read } from "./read-parts.ts";
import { recordFrame } from "./record-frame.tsx";
import { userName, UserState } from "./user-parts.tsx";

const frame = recordFrame({
  section: "users",
  tabs: consoleTexts.user.tabs,
  read: async ({ api, params: { id = "" } }) => shownUserSchema.parse(await read(api, ["users", id])),
  idOf: (user) => user.user_id,
  nameOf: userName,
  deletion: { texts: consoleTexts.user, collection: "users", scope: "delete:users", done: "user-deleted" },
  badges: (user) => <UserState user={user} />,
});

export const {
  read: readUser,
  path: userTabPath,
  page: userPage,
  tab: userTab,
  confirmation: userConfirmation,
  deletion: userDeletionScreens,
} = frame;
