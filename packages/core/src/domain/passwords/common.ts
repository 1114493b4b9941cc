/** Passwords that are tried first everywhere, in lower case: a short list of our own, so that no large one has to be loaded. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `0 00 000 0000 00000 000000 0000000 00000000 000000000 0000000000 111 1111 11111 111111 1111111 11111111 111111111 1111111111 112233 11223344
  1122334455 121212 12121212 123 1234 12345 123456 1234567 12345678 123456789 1234567890 12345678910 0123456789 123123 123123123 123321 1234321
  12344321 123454321 1234554321 12341234 1234abcd 123abc 123qwe 123qweasd 12qwaszx 131313 1313131313 147258 147258369 147852 159357 159753 1q2w3e
  1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 222222 22222222 232323 252525 333333 33333333 444444 44444444 456456 456789
  555555 55555555 654321 666666 66666666 696969 741852 741852963 753951 7654321 777777 7777777 77777777 789456 789456123 852456 87654321 888888
  88888888 963852 963852741 987654 9876543210 987654321 999999 99999999 a12345 a123456 a1234567 a12345678 a123456789 a1b2c3 a1b2c3d4 aa123456
  aa12345678 aaa111 aaaaaa aaaaaaaa abc abc123 abc1234 abc12345 abc123456 abcabc abcd abcd123 abcd1234 abcd12345 abcde abcdef abcdefg abcdefgh
  access access123 admin admin1 admin12 admin123 admin1234 admin12345 admin123456 admin2023 admin2024 admin2025 admin2026 administrator alexander
  amanda america andrea andrew angel angel1 angels anthony apple apple123 arsenal asd123 asdasd asdasd123 asdf asdf1234 asdfasdf asdfgh asdfghj
  asdfghjk asdfghjkl asdfjkl ashley august austin autumn azerty azerty123 azertyuiop babygirl bailey banana barcelona baseball baseball1 basketball batman batman1
  beautiful berlin biteme blink182 bonjour brandon bubbles buster butterfly cameron changeit changeme changeme1 changeme123 charlie charlie1 cheese
  chelsea chocolate christian computer computer1 cookie cookies cowboys daniel daniel1 default default123 demo demo123 demo1234 diamond dolphin
  donald dragon dragon1 dragon123 dubsmash eminem estrella family fender ferrari flower flowers football football1 football123 forever freedom friend
  friends garfield george ginger google google123 guest guest123 gwerty hallo hallo123 hannah harley hello hello1 hello123 hello1234
  helloworld hockey hottie hunter hunter2 iloveu iloveyou iloveyou1 iloveyou2 internet iwantu jackson jasmine jennifer jessica jesus jesus1 jordan jordan23
  joshua junior justin killer kisses letmein letmein1 letmein123 letmein! liverpool liverpool1 login login123 london lovely loveme lovers loveyou
  madison maggie manager marina marlboro martin master master1 master123 matrix matthew melissa mercedes merlin michael michael1 michelle monday monkey
  monkey1 monkey123 mother mustang mynoob mypassword naruto nathan newpassword nicole nintendo nopassword ninja oracle orange p@$$w0rd p@ssw0rd p@ssw0rd1
  p@ssw0rd123 p@ssword p@ssword1 pa$$w0rd pa$$word pa55w0rd pa55word paris pass pass1 pass12 pass123 pass1234 pass12345 passw0rd passw0rd1 password
  password! password0 password01 password1 password1! password11 password12 password123 password123! password1234 password12345 password123456 password2
  password2023 password2024 password2025 password2026 password3 passwords passwort passwort1 passwort123 patrick peaches peanut pepper phoenix
  player pokemon pokemon1 poohbear postgres princess princess1 princess123 purple q1w2e3 q1w2e3r4 q1w2e3r4t5 qazwsx qazwsx123 qazwsxedc qq123456 qwaszx qwe123
  qweasd qweasdzxc qweqwe qwer1234 qwerqwer qwert qwert123 qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyu qwertyui
  qwertyuiop qwertz qwertz123 qwertzuiop rainbow ranger realmadrid robert root root123 rootroot samantha samsung samsung1 scooter secret
  secret1 secret123 server shadow shadow1 silver skywalker slipknot snoopy soccer soccer1 sophie spiderman spring spring2024 spring2025 spring2026
  starwars summer summer1 summer123 summer2023 summer2024 summer2025 summer2026 sunday sunshine sunshine1 superman superman1 superstar support sweety system taylor
  teacher temp temp123 temp1234 test test1 test12 test123 test1234 test12345 test123456 tester testing testing1 testing123 testtest thomas thunder
  tigger tigers tinkle toor trustno1 user user123 user1234 username vanessa victoria welcome welcome1 welcome12 welcome123 welcome1234 welcome! whatever william
  winter winter2023 winter2024 winter2025 winter2026 xxxxxx xxxxxxxx yankees yellow zaq12wsx zaq1zaq1 zxc123 zxcvbn zxcvbnm zxcvbnm1 zxczxc zzzzzz`.split(
    /\s+/,
  ),
);
