/**
 * The style sheet of the pages. The theme defines the colors, and the lengths that a tenant can set, as custom
 * properties. Margins and paddings are logical, so that right-to-left languages need no additional rules. The top and
 * the sides of the card are in the same position on every page, with or without a scrollbar, so that the layout does
 * not shift between steps. On narrow screens the card fills the page. Names, email addresses and input keep the
 * direction of their script, but are aligned to the side where the page's lines start. That leaves room for the
 * ellipsis of a long name, which browsers put at the end of the line. Arabic letters join, so no rule changes the
 * letter spacing. Images have a maximum size but no fixed size, so that an image that fails to load takes no space and
 * the content below it moves up.
 */
export const styleSheet = `
*,*::before,*::after{box-sizing:border-box}
html{font:var(--reference,100%)/1.5 var(--font,system-ui),system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%;padding-left:calc(100vw - 100%)}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;grid-template-columns:minmax(0,26rem);align-content:start;justify-content:var(--place,center);padding:clamp(2rem,12vh,9rem) 1rem 5rem;font-size:var(--body-size,1rem);font-weight:var(--body-weight,400);background:var(--page) var(--backdrop);color:var(--text);overflow-wrap:anywhere}
.card{padding:2.5rem;background:var(--surface);border:var(--card-edge,1px) solid var(--card-line);border-radius:var(--card-radius,1rem);box-shadow:var(--card-shadow,0 1px 2px rgb(var(--shadow)/.05),0 12px 32px -8px rgb(var(--shadow)/.12))}
h1,h2,p,ul,dl,dd{margin:0;padding:0}
h1{font-size:var(--title-size,1.5rem);line-height:1.25;font-weight:var(--title-weight,650);color:var(--title);text-align:var(--align,start);letter-spacing:-.015em;text-wrap:balance}
h2{font-size:.875rem;font-weight:600}
:lang(ar) h1{letter-spacing:0}
[dir=rtl] :where(bdi,dd,.input,.asks [dir]){text-align:right}
[dir=ltr] :where(bdi,dd,.input,.asks [dir]){text-align:left}
:lang(ja) h1{word-break:auto-phrase}
.lead{margin-block-start:.375rem;font-size:var(--lead-size,1rem);font-weight:var(--lead-weight,400);color:var(--muted);text-align:var(--align,start);text-wrap:pretty}
.name{color:var(--text);font-weight:550}
h1 .name,h1 .destination,.button .name{font-weight:inherit;color:inherit}
.address,.account bdi,.row-detail,.destination{hyphens:none}
.long{display:inline-block;max-inline-size:calc(100% - .75em);overflow:hidden;white-space:nowrap;text-overflow:ellipsis;vertical-align:bottom}
.clamped{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
[dir=rtl] .clamped[title]:dir(ltr){padding-right:1em}
[dir=ltr] .clamped[title]:dir(rtl){padding-left:1em}
[hidden]{display:none!important}
.note{margin-block-start:1.25rem;font-size:.875rem;color:var(--muted);text-wrap:pretty}
.note .name{font-weight:inherit;color:inherit}
.destination{font-weight:600;color:var(--text)}
.note+.answers{margin-block-start:1.25rem}
.unseen{position:absolute;inline-size:1px;block-size:1px;margin:-1px;padding:0;border:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.icon{flex:none;inline-size:1.25rem;block-size:1.25rem}
[dir=rtl] .icon-chevron,[dir=rtl] .icon-leave{transform:scaleX(-1)}
.brand{--tall:max(3rem,var(--logo-height,3rem));display:var(--logo-display,block);block-size:var(--tall);margin-block-end:1.75rem;overflow:hidden;line-height:var(--tall);text-align:var(--logo-align,start)}
.brand-named{display:inline-flex;align-items:center;gap:.75rem;inline-size:100%;block-size:3rem;vertical-align:top}
.brand-name{font-weight:600;line-height:1.3}
.logo{max-inline-size:100%;max-block-size:var(--logo-height,3rem);inline-size:auto;block-size:auto;object-fit:contain;vertical-align:middle}
.mark{flex:none;display:block;inline-size:2.5rem;block-size:2.5rem;background:var(--primary);color:var(--on-primary);border:1px solid var(--primary-line);font-weight:650;font-size:1.125rem;line-height:calc(2.5rem - 2px);text-align:center;overflow:hidden}
.mark>span{display:inline-block;inline-size:100%;vertical-align:top}
.mark>.icon{block-size:100%}
.mark img{max-inline-size:100%;max-block-size:100%;vertical-align:top}
.tile img{max-inline-size:calc(100% - 4px);max-block-size:calc(100% - 4px);object-fit:contain;vertical-align:middle}
.mark.pictured{background:#fff;border-color:var(--line);color:#191c22}
.avatar img{aspect-ratio:1;object-fit:cover}
.logo,.tile img{filter:drop-shadow(0 0 1px rgb(0 0 0/.8))}
.tile{border-radius:.625rem}
.avatar{border-radius:50%}
.avatar:not(.pictured){background:var(--tint);color:var(--link);border-color:transparent}
.avatar.plain{background:none;border:1px dashed var(--field-line);color:var(--muted)}
form{margin-block-start:1.5rem}
.field label{display:block;margin-block-end:.375rem;font-size:var(--label-size,.875rem);font-weight:var(--label-weight,550);color:var(--label)}
.input{unicode-bidi:plaintext;display:block;inline-size:100%;min-block-size:3rem;padding:.625rem .875rem;font:inherit;color:var(--typed);background:var(--field);border:var(--input-edge,1px) solid var(--field-line);border-radius:var(--input-radius,.625rem);transition:border-color .12s,box-shadow .12s}
.input:hover{border-color:var(--text)}
.input[aria-invalid]{border-color:var(--danger);box-shadow:inset 0 0 0 1px var(--danger)}
.input:focus{outline:2px solid var(--focus);outline-offset:-1px;border-color:var(--focus);box-shadow:0 0 0 4px var(--tint)}
.input[aria-invalid]:focus{outline-color:var(--danger);border-color:var(--danger);box-shadow:0 0 0 4px var(--danger-tint)}
.input:autofill{box-shadow:inset 0 0 0 6rem var(--tint);-webkit-text-fill-color:var(--text)}
.input:autofill:focus{box-shadow:inset 0 0 0 6rem var(--tint),0 0 0 4px var(--tint)}
.button{display:flex;align-items:center;justify-content:center;gap:.5rem;inline-size:100%;min-block-size:3rem;padding:.625rem 1.25rem;font:inherit;font-size:var(--button-size,1rem);font-weight:var(--button-weight,600);line-height:1.3;text-align:center;border:var(--button-edge,1px) solid transparent;border-radius:var(--button-radius,.625rem);cursor:pointer;transition:background-color .12s,border-color .12s}
.button:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.button:active{transform:translateY(1px)}
.main{background:var(--primary);color:var(--on-primary);border-color:var(--primary-line)}
.main:hover{background:var(--primary-pressed)}
.button[aria-busy]{position:relative;cursor:progress}
.button[aria-busy]::after{content:"";position:absolute;inset-inline-end:1rem;inline-size:1.125rem;block-size:1.125rem;border:2px solid;border-block-start-color:transparent;border-radius:50%}
.button[aria-busy]>.icon-chevron{visibility:hidden}
.small[aria-busy]{opacity:.6}
.small[aria-busy]::after{content:none}
a.button{text-decoration:none}
.hint{font-size:.875rem;color:var(--muted)}
.hint:not(:empty){margin-block-start:.5rem}
main>a.button{margin-block-start:1.5rem}
.button>span:only-child{min-inline-size:0}
.search{margin-block-start:1.5rem}
.demands{list-style:none;display:grid;gap:.25rem;margin-block-start:.625rem;color:var(--muted);font-size:.875rem;line-height:1.4}
.demands li{display:flex;gap:.5rem}
.demands .icon{inline-size:1rem;block-size:1rem;margin-block-start:.125rem}
.demands .icon-check,.demands .icon-cross,.kept>.icon-ring,.lacking>.icon-ring{display:none}
.kept>.icon-check,.lacking>.icon-cross{display:block}
.demands .kept>.icon{color:var(--good)}
.demands .lacking{color:var(--danger)}
.fields .field+.field,.fields .check+.field{margin-block-start:1rem}
.optional{font-weight:400;color:var(--muted)}
.user-code{font-size:1.5rem;line-height:1.3;font-weight:600;font-variant-numeric:tabular-nums;letter-spacing:.12em;text-align:center}
p.user-code{margin-block-start:1rem;padding:.75rem;border:1px solid var(--line);border-radius:.75rem;overflow-wrap:anywhere}
.code{min-block-size:3.75rem;padding-inline:1.1em .7em;font-size:1.75rem;line-height:1.2;font-weight:600;font-variant-numeric:tabular-nums;letter-spacing:.4em;text-align:center}
.waits{font-variant-numeric:tabular-nums}
.others{display:flex;flex-wrap:wrap;align-items:center;gap:.125rem .75rem;margin-block:1rem -.5rem;margin-inline:-.5rem}
.others form{display:flex;flex-wrap:wrap;align-items:center;margin:0}
.others form>span{padding-inline-start:.5rem;font-size:.875rem;color:var(--muted)}
.small:disabled{color:var(--muted);background:none;cursor:default}
.providers form{margin-block-start:.75rem}
.providers form:first-child{margin-block-start:1.5rem}
.or+.providers form:first-child,.or+.passkey form:first-child{margin-block-start:1.25rem}
.passkey+.providers form:first-child{margin-block-start:.75rem}
.provider-mark{flex:none;inline-size:1.25rem;block-size:1.25rem}
.provider .mark{inline-size:1.5rem;block-size:1.5rem;font-size:.8125rem;line-height:calc(1.5rem - 2px);border-radius:.375rem}
.provider{position:relative}
.last{position:absolute;inset-block-start:-.75rem;inset-inline-end:.75rem;padding:.0625rem .5rem;font-size:.75rem;font-weight:500;line-height:1.125rem;color:var(--muted);background:var(--surface);border:1px solid var(--line);border-radius:1rem}
.or{display:flex;align-items:center;gap:.75rem;margin-block-start:1.5rem;font-size:.875rem;color:var(--muted)}
.or::before,.or::after{content:"";flex:1;block-size:1px;background:var(--line)}
.field+.button{margin-block-start:1.25rem}
.check+.button{margin-block-start:.75rem}
.check{text-wrap:pretty;display:flex;align-items:center;gap:.625rem;min-block-size:2.75rem;margin-block-start:.75rem;font-size:.9375rem;line-height:1.4;cursor:pointer}
.check input{flex:none;inline-size:1.5rem;block-size:1.5rem;margin:0;accent-color:var(--link)}
.check input:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.check:has(+[data-key-options][hidden]){display:none}
.key-waiting:not(:empty)~.button{margin-block-start:.75rem}
.passkey-choice{margin-block-start:.75rem}
.main:disabled,.input:disabled,.check:has(:disabled){opacity:.45;cursor:not-allowed}
.ways{margin-block-start:1.5rem;padding-block-start:1.25rem;border-block-start:1px solid var(--line)}
.ways form{margin-block-start:.75rem}
.ways .row{min-block-size:3rem}
.part{margin-block-start:1.75rem;padding-block-start:1.25rem;border-block-start:1px solid var(--line)}
.part .button.second{margin-block-start:1rem}
.part form{margin:0}
.part-text{margin-block-start:.375rem;font-size:.9375rem;color:var(--muted);text-wrap:pretty}
.methods{list-style:none;display:grid;gap:.625rem;margin-block-start:.75rem}
.methods li{display:grid;justify-items:start;padding-block:.875rem .375rem;padding-inline:1rem;border:1px solid var(--line);border-radius:.75rem}
.methods li:not(:has(.others)){padding-block-end:.875rem}
.sections{margin-block-start:1.5rem}
.methods .others{margin-block:.25rem 0}
.scan,.manual{margin-block-start:1.25rem;font-size:.9375rem}
.qr-code{display:block;inline-size:13rem;max-inline-size:100%;block-size:auto;margin:.75rem auto 0;border-radius:.625rem}
.scan+a.button{margin-block-start:1.25rem}
.secret{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 .75rem;margin-block-start:.75rem;padding-block:.75rem .25rem;padding-inline:1rem .5rem;border:1px solid var(--line);border-radius:.625rem;background:var(--quiet)}
.secret code{flex:1 1 100%;font-size:1.0625rem;line-height:1.7;overflow-wrap:normal;user-select:all}
.secret .copy{margin-inline-start:-.5rem}
.secret .hint{margin:0;padding-inline-end:.5rem}
.second{background:none;color:var(--second-text);border-color:var(--second-line)}
.second:hover{background:var(--quiet)}
.small{inline-size:auto;min-inline-size:2.75rem;min-block-size:2.75rem;padding:.25rem .5rem;font-size:.875rem;background:none;color:var(--link);border-radius:.5rem}
.small:hover{background:var(--tint)}
.concealed{position:relative}
.reveal{position:absolute;inset-block:.125rem;inset-inline-end:.125rem;display:grid;place-items:center;inline-size:2.75rem;padding:0;color:var(--icon);background:none;border:0;border-radius:.5rem;cursor:pointer}
.reveal:hover{color:var(--text)}
.reveal:focus-visible{outline:3px solid var(--focus);outline-offset:-3px}
.reveal[aria-pressed=false] .icon-eye-off,.reveal[aria-pressed=true] .icon-eye{display:none}
.input:has(+.reveal:not([hidden])){padding-inline-end:3.25rem}
.input:has(+.reveal:not([hidden]))::-ms-reveal{display:none}
.account{display:flex;flex-wrap:wrap;align-items:center;justify-content:flex-end;margin-block-start:1rem;padding-block:.1875rem;padding-inline:.75rem .25rem;border:1px solid var(--line);border-radius:.625rem;background:var(--quiet)}
.account .icon{color:var(--icon)}
.account p>span,.problem p{min-inline-size:0}
.about{font-size:.8125rem;color:var(--muted)}
.account p{flex:1 1 9rem;min-inline-size:0;display:flex;align-items:center;gap:.5rem;padding-block:.5rem;padding-inline-end:.5rem;font-size:.9375rem;line-height:1.35}
.problem{display:flex;gap:.625rem;margin-block-start:1.25rem;padding:.75rem .875rem;font-size:.9375rem;line-height:1.45;color:var(--danger);background:var(--danger-tint);border:1px solid var(--danger-line);border-radius:.625rem}
.problem .name{color:inherit}
.problem .icon{margin-block-start:.0625rem}
.notice{color:var(--text);background:var(--tint);border-color:transparent}
.notice .icon{color:var(--link)}
.pair{display:flex;align-items:center;gap:.75rem;margin-block-end:1.75rem}
.pair .mark{inline-size:3rem;block-size:3rem;font-size:1.25rem;line-height:calc(3rem - 2px)}
.link-dots{inline-size:2rem;block-size:4px;background:radial-gradient(circle,var(--field-line) 2px,transparent 2.4px) 0 0/10px 4px repeat-x}
.invited{display:flex;align-items:center;gap:.75rem;margin-block-start:1rem;padding:.75rem;border-radius:.625rem;background:var(--tint);font-size:.9375rem;line-height:1.4}
.invited p{min-inline-size:0}
.asks{margin-block-start:1.5rem;padding:1rem 1.125rem 1.125rem;border:1px solid var(--line);border-radius:.75rem}
.asks h2{font-weight:400;color:var(--muted)}
.asks ul{list-style:none;display:grid;gap:.625rem;margin-block-start:.875rem}
.asks li{display:flex;gap:.625rem}
.asks li .icon{margin-block-start:.125rem;color:var(--link)}
.facts{display:grid;gap:.0625rem;margin-block-start:1rem;font-size:.9375rem}
.facts dt{font-size:.8125rem;color:var(--muted)}
.facts dd+dt{margin-block-start:.5rem}
.facts b{font-weight:600}
.facts .detail{font-size:.8125rem;color:var(--muted)}
.answers{display:grid;gap:.625rem}
code{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.rows{display:grid;gap:.625rem}
.row{justify-content:flex-start;gap:.875rem;min-block-size:4rem;padding:.625rem .875rem;text-align:start;font-weight:500;background:none;color:var(--text);border-color:var(--line);border-radius:.75rem}
.row:hover{background:var(--quiet);border-color:var(--field-line)}
.row-text{flex:1;min-inline-size:0;display:grid;justify-items:start}
.row-name{font-weight:600}
.row-detail{font-size:.875rem;font-weight:400;color:var(--muted)}
.row>.icon{color:var(--icon);transition:transform .12s}
.sign{display:grid;place-items:center;inline-size:3.5rem;block-size:3.5rem;margin-block-end:1.5rem;border-radius:50%}
.sign .icon{inline-size:1.75rem;block-size:1.75rem}
.good{color:var(--good);background:var(--good-tint)}
.bad{color:var(--danger);background:var(--danger-tint)}
.quiet{color:var(--link);background:var(--tint)}
footer{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin-block:1.5rem -1.25rem;padding-block-start:.25rem;border-block-start:1px solid var(--line);font-size:var(--link-size,.875rem);font-weight:var(--link-weight,400)}
footer a{display:flex;align-items:center;min-block-size:2.75rem;color:var(--muted);text-decoration-line:var(--link-line,underline);text-decoration-color:var(--field-line);text-underline-offset:.2em}
footer a:hover{color:var(--text)}
footer a:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:.25rem}
.details{margin-block-start:1.75rem;padding-block-start:1.25rem;border-block-start:1px solid var(--line)}
.details dl{display:grid;gap:.125rem;margin-block-start:.75rem;font-size:.875rem}
.details dt{color:var(--muted)}
.details dd+dt{margin-block-start:.625rem}
@media (max-width:30rem) and (hover:none) and (pointer:coarse){
.scan{display:none}
}
@media (prefers-color-scheme:dark){
.logo{filter:drop-shadow(0 0 1px #fff) drop-shadow(0 0 6px rgb(255 255 255/.4))}
.own-dark{filter:none}
}
@media (max-width:30rem){
html{padding-left:0}
body{align-content:start;padding:0;background:var(--surface);hyphens:auto;hyphenate-limit-chars:14 6 6}
.card{padding:1.5rem 1.25rem;border:0;border-radius:0;box-shadow:none}
.brand,.pair{margin-block-end:1.25rem}
.sign{margin-block-end:1rem}
.asks{margin-block-start:1rem;padding:.875rem 1rem}
.asks ul{gap:.375rem;margin-block-start:.5rem}
.note{margin-block-start:1rem}
.note+.answers{margin-block-start:1rem}
.account .icon{display:none}
}
@media (max-width:15rem){
h1{font-size:1.25rem}
.card{padding:1rem .75rem}
.button{padding-inline:.5rem}
.row .mark,.row>.icon{display:none}
.asks{padding:.75rem}
}
@media (prefers-reduced-motion:no-preference){
.late{animation:appear .2s .6s backwards}
.good path{stroke-dasharray:1;animation:draw .45s .15s ease-out backwards}
.button[aria-busy]::after{animation:turn 1s linear infinite,appear .2s .2s backwards}
@keyframes turn{to{rotate:1turn}}
@keyframes draw{from{stroke-dashoffset:1}}
@keyframes appear{from{opacity:0}}
.row:hover>.icon-chevron{transform:translateX(3px)}
[dir=rtl] .row:hover>.icon-chevron{transform:scaleX(-1) translateX(3px)}
}
@media (prefers-reduced-motion:reduce){
*{transition:none!important}
.button[aria-busy]::after{content:"…";inline-size:auto;block-size:auto;border:0;line-height:1}
.small[aria-busy]::after{content:none}
}
@media (forced-colors:active){
.input:focus,.button:focus-visible{outline-color:Highlight}
.sign,.mark{border:1px solid CanvasText}
.button{border-color:ButtonText}
}
`;
