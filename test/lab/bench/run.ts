import {benches, runBench} from './benches.ts';
import {keep, measureRows, tableOf} from './table.ts';

// Without a name: one table of the figures that matter, which never fails on any of them; `--keep` keeps them as those of
// this release, and `--within SECONDS` ends it in time. With a name: that bench, with what else the command line says.
const [name, ...args] = process.argv.slice(2);

if (name === undefined || name === '--keep' || name === '--within') {
	const rows = measureRows(name === '--within' ? Number(args[0]) : Number.POSITIVE_INFINITY);
	console.log(tableOf(rows));
	if (name === '--keep') keep(rows);
} else if (Object.hasOwn(benches, name)) {
	process.exitCode = runBench(name, args);
} else {
	console.error(`error: there is no bench ${name}; there are ${Object.keys(benches).join(', ')}`);
	process.exitCode = 1;
}
