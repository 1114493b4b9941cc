import type { Messages } from "../messages.ts";

/** Polish that says "ty". */
export const plFamiliar: Partial<Messages> = {
  againTitle: "Potwierdź swoją tożsamość",
  identifierLeadPlain: "na swoje konto w {tenant}",

  passwordTitle: "Podaj hasło",
  passwordChangeName: "Zmień konto, na które się logujesz",

  identifierNoAccount: "Nie masz jeszcze konta?",
  addressInvalid: "Na ten adres nie można wysłać kodu. Sprawdź pisownię.",

  signUpTitle: "Załóż konto",
  signUpHave: "Masz już konto?",
  emailMalformed: "To nie jest adres e-mail. Sprawdź pisownię.",
  usernameMalformed: "Taka nazwa użytkownika nie jest tu możliwa. Wybierz inną.",
  usernameTaken: "Ta nazwa użytkownika jest zajęta. Wybierz inną.",
  phoneMalformed: "Podaj numer telefonu z + i kodem kraju.",
  accountTaken: "Z tymi danymi nie można założyć konta. Jeśli masz konto, zaloguj się.",

  codeTitleEmail: "Sprawdź pocztę",
  codeTitleSms: "Sprawdź wiadomości",
  codeLeadEmail: "Wpisz kod, który wysłaliśmy na adres {address}.",
  codeLeadSms: "Wpisz kod, który wysłaliśmy SMS-em na numer {address}.",
  codeLeadReset: "Jeśli istnieje konto dla {address}, wysłaliśmy tam kod. Wpisz go tutaj.",
  codeLeadAccount: "Jeśli to konto istnieje, wysłaliśmy kod na jego adres e-mail. Wpisz go tutaj.",
  codeMissing: "Wpisz kod, który Ci wysłaliśmy.",
  codeWrong: "Kod jest błędny lub już nie działa. Sprawdź go lub wyślij nowy.",
  codesTooMany: "Wysłano zbyt wiele kodów. Użyj ostatniego lub spróbuj ponownie za 10 minut.",
  codeUsePassword: "Użyj swojego hasła",

  resetTitle: "Zresetuj hasło",
  resetLead: "Wyślemy Ci kod i link do ustawienia nowego hasła.",
  newPasswordTitle: "Wybierz nowe hasło",
  newPasswordNote: "Wszędzie indziej nastąpi Twoje wylogowanie.",

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
  wrongCredentialsOrReset: "Nieprawidłowy adres e-mail lub hasło. Spróbuj ponownie lub zresetuj hasło.",
  tooManyAttemptsOrReset: "Zbyt wiele prób. Spróbuj ponownie za 5 minut lub zresetuj hasło.",
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
  demandsAll: "Twoje hasło spełnia wszystkie wymagania.",
  passwordTooCommon: "Zbyt wiele osób używa tego hasła. Wybierz inne.",
  passwordPersonal: "To hasło zawiera Twoje imię, nazwisko lub adres. Wybierz inne.",
  passwordLeaked: "To hasło jest znane z wycieku danych z innego serwisu. Wybierz takie, którego nie używasz nigdzie indziej.",

  linkConfirmTitle: "Potwierdź swój adres e-mail",
  linkConfirmLead: "Twoje konto w {tenant} ma ten adres. Potwierdź, że należy do Ciebie.",
  linkAskTitle: "Czy to Twoje konto?",
  linkAskLead: "W {tenant} istnieje konto z Twoim adresem.",
  linkAskNote:
    "Jeśli nie jest Twoje, ktoś inny założył je z Twoim adresem. Zgłoś to, a ta osoba nie będzie mogła z niego korzystać: jej hasło przestanie działać i nastąpi jej wylogowanie.",
  linkVerifiedTitle: "Twój adres jest potwierdzony",
  linkVerifiedLead: "Możesz przejść do aplikacji.",
  linkDisownedLead: "Nikt nie może już zalogować się na to konto. Jeśli chcesz z niego korzystać, ustaw hasło.",
  passwordFormer: "To hasło było już przez Ciebie używane. Wybierz inne.",
  linkChangedTitle: "Twoje hasło zostało zmienione",
  linkChangedLead: "Nastąpiło wylogowanie ze wszystkich miejsc. Zaloguj się nowym hasłem.",
  linkUsedLead: "Ustawiono za jego pomocą hasło. Jeśli to Ty, otwórz aplikację i zaloguj się. W innym przypadku poproś o nowy link.",
  linkSentTitle: "Sprawdź pocztę",
  linkSentLead:
    "Jeśli Cię znamy, link do ustawienia nowego hasła jest w drodze. Działa przez godzinę. Jeśli nic nie przyjdzie, zajrzyj do folderu ze spamem lub spróbuj ponownie.",
  linkExpiredLead: "Linki w wiadomościach działają przez ograniczony czas. Możemy wysłać Ci nowy.",
  linkUnknownLead: "Może być niepełny lub zbyt stary. Otwórz link w wiadomości jeszcze raz lub skopiuj go w całości.",
  linkRequestLead: "Powiedz nam, kim jesteś. Na adres Twojego konta wyślemy link do ustawienia nowego hasła.",

  linkCodeTitle: "Chcesz zalogować się do {client}?",
  linkCodeLead: "Ten link zaloguje Cię tutaj, w tej przeglądarce.",
  linkCodeNote: "Jeśli to nie Ty prosisz o ten link lub adres nie jest Twój, zamknij tę stronę.",
  linkCodeUsed: "Został już użyty lub wygasł. Wróć do aplikacji i poproś o nowy.",

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
  providerDeclined: "Logowanie tam nie zostało dokończone. Spróbuj ponownie lub zaloguj się inaczej.",
  providerFailed: "Logowanie tam się nie powiodło. Spróbuj ponownie lub zaloguj się inaczej.",
  noAccountHere: "Nie masz tu jeszcze konta i w ten sposób nie można go założyć. Zaloguj się inaczej.",
  linkAccountTitle: "Masz już konto",
  linkAccountLead: "Konto z adresem {email} już tu jest. Zaloguj się na nie raz, a potem możesz wchodzić także przez {provider}.",
  linkAccountFailed: "Tego konta {provider} nie można połączyć z Twoim kontem tutaj. Możesz go używać jako osobnego konta.",
};
