import {readdirSync, readFileSync} from 'node:fs';
import {settingsFor} from '../../../src/core/model/controllerSettings.ts';
import type {TraceVector} from '../../conformance/vector.ts';
import {cutsOf, seenUntil} from './cutScenario.ts';
const only = process.argv[2];
const widths: number[] = []; let open=0, alarmsLess=0; let n = 0, bad = 0, pods = 0; const t0=performance.now();
for (const v of ['v1.36','v1.32']) for (const f of readdirSync(`test/conformance/vectors/${v}`)) {
  if (only && !`${v}/${f}`.includes(only)) continue;
  const x: TraceVector = JSON.parse(readFileSync(`test/conformance/vectors/${v}/${f}`,'utf8'));
  if (x.order !== 'decided') continue;
  for (const cut of cutsOf(x.scenario)) for (const look of ['cold','warm'] as const) {
    n++;
    const defaults = {...settingsFor(x.kubernetesVersion), firstPassAfter: x.firstPassAt};
    const {forecaster, now, changes} = seenUntil(cut, defaults, look);
    const t1=performance.now();
    const w = forecaster.whatIf(changes, now);
    const ms = performance.now()-t1;
    if (ms>3000) console.log('slow', f, look, cut.at, ms);
    const del = new Map<string, number>();
    for (const a of x.trace) if (a.kind==='pod-deleted' && a.at>now && !del.has(a.pod!)) del.set(a.pod!, a.at);
    for (const p of w.pods) { pods++;
      const key=`${p.after.namespace}/${p.after.name}`; const truth=del.get(key); const e=p.after.eviction;
      const tol=Math.max(1000,x.toleranceMs??0);
      const ok = truth===undefined ? !(e && e.latest!==null && e.latest < x.scenario.until*1000) : !!e && truth>=e.earliest-tol && truth<=(e.latest??Infinity)+tol;
      if (p.after.verdict==='Terminating') continue; if (changes.some(c=>c.type==='deleteNode'&&c.node===p.after.node)) continue;
      if (truth!==undefined && e) { if (e.latest===null) open++; else widths.push(e.latest-e.earliest); } if (truth===undefined && e && e.latest===null) alarmsLess++;
      if (!ok) { bad++; if (bad<60) console.log('BAD',v,f,look,'cut',cut.at,key,'on',p.after.node,'truth',truth,'said',p.after.verdict,e&&[e.earliest,e.latest],'before',p.before.verdict,p.before.eviction&&[p.before.eviction.earliest,p.before.eviction.latest],p.effect, p.after.because.at(-1)); }
    }
  }
}
widths.sort((a,b)=>a-b); console.log({n,pods,bad,sure:widths.length,open,alarmsLess,median:widths[widths.length>>1],p90:widths[Math.floor(widths.length*.9)]}, (performance.now()-t0)/1000);
