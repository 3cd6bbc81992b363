/** The style of the page: one column that fits a phone, light or dark as the reader prefers, and printable. */
export const style = `
:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#1c1b19;--soft:#6a665f;--line:#e3dfd8;--track:#f0ede7;
--silent:#8a8f98;--unknown:#e69f00;--tainted:#d55e00;--pod:#1c1b19;--good:#00795a;--bad:#b3261e;--mark:#0067a3}
@media(prefers-color-scheme:dark){:root{--paper:#15161a;--card:#1d1f24;--ink:#ecebe8;--soft:#a3a19c;--line:#32353c;--track:#272a31;
--silent:#868c97;--unknown:#f0b429;--tainted:#ff7a33;--pod:#fff;--good:#3ecf9f;--bad:#ff8a80;--mark:#6cb8ee}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:64rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:clamp(1.6rem,5vw,2.4rem);line-height:1.15;margin:.2rem 0 .5rem;letter-spacing:-.02em;text-wrap:balance}
h2{font-size:1.2rem;margin:2.75rem 0 .75rem;letter-spacing:-.01em}
h3{font-size:1rem;margin:0 0 .25rem}
p{margin:.4rem 0}
.lead{font-size:1.08rem;max-width:46rem}
.range{white-space:nowrap}
li,.notice{overflow-wrap:anywhere}
time{white-space:nowrap}
.kicker,.meta,.soft,small{color:var(--soft)}
.kicker{margin:0;font-size:.85rem}
.meta{font-variant-numeric:tabular-nums}
code,.name{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em;overflow-wrap:anywhere}
time,td,.num{font-variant-numeric:tabular-nums}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1.5rem 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.8rem 1rem}
.tile b{display:block;font-size:1.7rem;line-height:1.2;letter-spacing:-.02em}
.tile span{color:var(--soft);font-size:.9rem}
.good{color:var(--good)}.bad{color:var(--bad)}
.notice{border-left:4px solid var(--unknown);background:var(--card);padding:.6rem 1rem;border-radius:0 .5rem .5rem 0;margin:1rem 0;font-size:.92rem}
.chart{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem}
.lane{display:grid;grid-template-columns:8.5rem 1fr;gap:.75rem;align-items:center;min-height:1.9rem}
.lane .label{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.track{position:relative;height:1.25rem;background:var(--track);border-radius:.25rem}
.track i{position:absolute;top:0;bottom:0;min-width:2px;border-radius:.2rem}
.track .s{top:40%;bottom:40%;background:var(--silent)}
.track .u{top:22%;bottom:22%;background:var(--unknown)}
.track .t{background:var(--tainted)}
.track .e{width:2px;margin-left:-1px;top:-.2rem;bottom:-.2rem;background:var(--pod);border-radius:0;box-shadow:0 0 0 1px var(--card)}
.axis{height:1.4rem;background:none}
.axis span{position:absolute;transform:translateX(-50%);font-size:.75rem;color:var(--soft);white-space:nowrap}
.axis span:first-child{transform:none}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;margin:.75rem 0 0;padding:0;list-style:none;font-size:.85rem;color:var(--soft)}
.legend i{display:inline-block;width:1.1rem;margin-right:.4rem;border-radius:.15rem;vertical-align:middle}
.legend .s{height:3px;background:var(--silent)}.legend .u{height:8px;background:var(--unknown)}.legend .t{height:13px;background:var(--tainted)}
.legend .e{width:2px;height:14px;background:var(--pod);margin-left:.45rem;margin-right:.85rem}
.story{list-style:none;margin:0;padding:0}
.story li{display:grid;grid-template-columns:4.8rem 1rem 1fr;gap:.5rem;padding:.28rem 0}
.story i{width:.6rem;height:.6rem;border-radius:50%;margin-top:.5rem;background:var(--silent)}
.story .node i{background:var(--unknown)}.story .taint i{background:var(--tainted)}.story .pod i{background:var(--pod)}
.story .zone i,.story .controller i{background:var(--mark);border-radius:.1rem}
.story time{color:var(--soft)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th{text-align:left;font-weight:600;color:var(--soft);font-size:.8rem}
th,td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td small{display:block}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:.75rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.9rem 1rem}
.card p{margin:0;overflow-wrap:anywhere}
details{margin:1rem 0}summary{cursor:pointer;font-weight:600}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem;color:var(--soft);font-size:.85rem}
@media(max-width:40rem){
main{padding:1.25rem 1rem 3rem}
.lane{grid-template-columns:1fr;gap:.15rem;padding:.3rem 0}
.axis-lane .label{display:none}
.axis span:nth-child(even){display:none}
.story li{grid-template-columns:4.6rem .8rem 1fr}
.rows thead{display:none}
.rows table,.rows tbody,.rows tr,.rows td{display:block}
.rows tr{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.6rem .9rem;margin:.6rem 0}
.rows td{overflow-wrap:anywhere;border:0;padding:.15rem 0;display:grid;grid-template-columns:5.6rem 1fr;gap:.5rem}
.rows td::before{content:attr(data-label);color:var(--soft);font-size:.8rem;padding-top:.1rem}
}
@media print{body{background:#fff}.tile,.card,.chart{break-inside:avoid}details>*{display:block}}
`.trim();
