import type { Messages } from "../messages.ts";

/** Polish that says "ty". */
export const plFamiliar: Partial<Messages> = {
  againTitle: "Potwierdź swoją tożsamość",
  identifierLeadPlain: "na swoje konto w {tenant}",

  passwordTitle: "Podaj hasło",
  passwordChangeName: "Zmień konto, na które się logujesz",

  identifierMissing: "Podaj adres e-mail, nazwę użytkownika lub numer telefonu.",
  missingEmail: "Podaj adres e-mail.",
  missingUsername: "Podaj nazwę użytkownika.",
  missingPhone: "Podaj numer telefonu.",
  missingEmailUsername: "Podaj adres e-mail lub nazwę użytkownika.",
  missingEmailPhone: "Podaj adres e-mail lub numer telefonu.",
  missingUsernamePhone: "Podaj nazwę użytkownika lub numer telefonu.",
  passwordMissing: "Podaj hasło.",
  wrongCredentials: "Nieprawidłowy adres e-mail lub hasło. Spróbuj ponownie.",
  tooManyAttempts: "Zbyt wiele prób. Spróbuj ponownie za 5 minut.",
  blocked: "To konto jest zablokowane. W sprawie pomocy zwróć się do {tenant}.",

  consentTitle: "Zezwolić aplikacji {client} na korzystanie z Twojego konta?",
  consentAccount: "Korzystasz z konta {account}",
  consentNothing: "{client} chce tylko wiedzieć, że to Ty.",
  consentNotYou: "To nie Ty?",
  consentNotYouName: "To nie Ty? Użyj innego konta",
  consentTrust: "Potem wrócisz do {destination}. Zezwól tylko, jeśli ufasz aplikacji {client}.",
  scopeOpenid: "Potwierdzenie, że to Ty",
  scopeProfile: "Wgląd w Twoje imię i nazwisko, zdjęcie i inne dane profilu",
  scopeEmail: "Wgląd w Twój adres e-mail",
  scopePhone: "Wgląd w Twój numer telefonu",
  scopeAddress: "Wgląd w Twój adres pocztowy",
  scopeOfflineAccess: "Zachowanie tego dostępu pod Twoją nieobecność",

  accountTitle: "Wybierz konto",

  organizationTitle: "Wybierz organizację",
  organizationNone: "Żadna organizacja nie ma takiej nazwy. Sprawdź pisownię.",

  invitationLead: "{inviter} zaprasza Cię do {organization}.",
  invitationOther: "To zaproszenie jest dla {email}. Aby je przyjąć, zaloguj się na to konto.",

  createAccountTitle: "Załóż konto",
  createAccountOtherName: "Zmień: zaloguj się na konto, które już masz",
  createAccountPassword: "Wybierz hasło",
  passwordTooCommon: "Zbyt wiele osób używa tego hasła. Wybierz inne.",
  passwordPersonal: "To hasło zawiera Twoje imię, nazwisko lub adres. Wybierz inne.",

  logoutTitle: "Chcesz się wylogować?",
  logoutLead: "Wylogujesz się z {tenant} w tej przeglądarce.",
  logoutStay: "Jeśli nie chcesz się wylogować, po prostu zamknij tę stronę.",

  loggedOutLead: "Możesz już zamknąć tę stronę.",

  errorLead:
    "Z tym żądaniem jest coś nie tak. Wróć do aplikacji i zacznij od nowa. Jeśli to nie pomoże, przekaż te dane jej pomocy technicznej.",
  expiredLead: "Była otwarta zbyt długo albo logowanie rozpoczęło się w innej przeglądarce. Wróć do aplikacji i zacznij od nowa.",
  noLoginTitle: "Zacznij w aplikacji",
  noLoginLead:
    "Pod tym adresem nie można się zalogować: być może to zapisana zakładka. Otwórz aplikację, z której chcesz skorzystać, i zaloguj się w niej.",
  notFoundLead: "Adres może zawierać błąd albo strona już nie istnieje. Wróć do aplikacji i tam zacznij.",
  cookiesTitle: "Twoja przeglądarka zablokowała plik cookie",
  cookiesLead:
    "Ta strona potrzebuje pliku cookie, aby rozpoznać Twoją przeglądarkę. Zezwól na pliki cookie w tej witrynie, wróć do aplikacji i zacznij od nowa. Zadziała też okno prywatne lub inna przeglądarka.",
  invitationExpiredLead: "Poproś osobę, która Cię zaprosiła, o nowe zaproszenie.",
  invitationUsedLead: "Jeśli to Ty, otwórz aplikację i zaloguj się. W innym przypadku poproś osobę, która Cię zaprosiła, o nowe.",
  invitationWithdrawnLead: "Zapytaj osobę, która Cię zaprosiła, czy jest nadal aktualne.",
  answeredLead: "Tutaj nie ma już nic do zrobienia. Przejdź do aplikacji.",

  formPostLead: "Jeśli przez kilka sekund nic się nie wydarzy, użyj przycisku.",
};
