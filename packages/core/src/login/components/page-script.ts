import { imageScript } from "./marks.tsx";
import { formScript } from "./form-script.ts";
import { lockedNoteScript } from "./locked-note.tsx";
import { newPasswordScript } from "./new-password-script.ts";
import { revealScript } from "./reveal.tsx";
import { searchScript } from "./search.tsx";
import { copySecretScript } from "./secret-text.tsx";
import { signalScript } from "./signal-script.ts";
import { webauthnScript } from "./webauthn-script.ts";

/**
 * The script that makes the pages easier to use. Every page works without it, except the forms for security keys. The
 * script is the same on all pages: it contains no user input, and reads its texts from the page. It is in the head, so
 * that its listeners exist before an image can fail to load.
 */
export const pageScript = `
document.addEventListener("DOMContentLoaded", function () {
${formScript}
${revealScript}
${newPasswordScript}
${searchScript}
${copySecretScript}
${lockedNoteScript}
${webauthnScript}
${signalScript}
});
${imageScript}
`;
