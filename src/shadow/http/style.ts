/** The style of the page: one column that fits a phone, light or dark as the reader prefers, and printable. */
export const style = `
:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#1c1b19;--soft:#6a665f;--line:#e3dfd8;--unknown:#e69f00;--good:#00795a;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--paper:#15161a;--card:#1d1f24;--ink:#ecebe8;--soft:#a3a19c;--line:#32353c;--unknown:#f0b429;--good:#3ecf9f;--bad:#ff8a80}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:64rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:clamp(1.6rem,5vw,2.4rem);line-height:1.15;margin:.2rem 0 .5rem;letter-spacing:-.02em;text-wrap:balance}
h2{font-size:1.2rem;margin:2.75rem 0 .75rem;letter-spacing:-.01em}
p{margin:.4rem 0}
.range{white-space:nowrap}
.notice{overflow-wrap:anywhere}
.kicker,.meta,.soft,small{color:var(--soft)}
.kicker{margin:0;font-size:.85rem}
.meta{font-variant-numeric:tabular-nums}
.name{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em;overflow-wrap:anywhere}
td{font-variant-numeric:tabular-nums}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1.5rem 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.8rem 1rem}
.tile b{display:block;font-size:1.7rem;line-height:1.2;letter-spacing:-.02em}
.tile span{color:var(--soft);font-size:.9rem}
.good{color:var(--good)}.bad{color:var(--bad)}
.notice{border-left:4px solid var(--unknown);background:var(--card);padding:.6rem 1rem;border-radius:0 .5rem .5rem 0;margin:1rem 0;font-size:.92rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th{text-align:left;font-weight:600;color:var(--soft);font-size:.8rem}
th,td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td small{display:block}
details{margin:1rem 0}summary{cursor:pointer;font-weight:600}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem;color:var(--soft);font-size:.85rem}
@media(max-width:40rem){
main{padding:1.25rem 1rem 3rem}
.rows thead{display:none}
.rows table,.rows tbody,.rows tr,.rows td{display:block}
.rows tr{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.6rem .9rem;margin:.6rem 0}
.rows td{overflow-wrap:anywhere;border:0;padding:.15rem 0;display:grid;grid-template-columns:5.6rem 1fr;gap:.5rem}
.rows td::before{content:attr(data-label);color:var(--soft);font-size:.8rem;padding-top:.1rem}
}
@media print{body{background:#fff}.tile{break-inside:avoid}details>*{display:block}}
`.trim();
