import {benches, runBench} from './benches.ts';
import {keep, measureRows, tableOf} from './table.ts';

// Without a name: one table of the important figures, which never fails because of them; `--keep` saves them as this
// release's, and `--within SECONDS` limits the time. With a name: that bench, with the other arguments.
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
