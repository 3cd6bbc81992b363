import {readFileSync} from 'node:fs';
import {createRequire, registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';

// Node.js strips types, but knows no JSX: the bundler's own transform turns a component into what Node.js runs. It is loaded
// with the first component.
const require = createRequire(import.meta.url);
const jsx = {runtime: 'automatic'};

registerHooks({
	load(url, context, next) {
		if (!url.endsWith('.tsx')) return next(url, context);
		const {transformSync} = require('rolldown/utils');
		const path = fileURLToPath(url);
		const {code, map, errors} = transformSync(path, readFileSync(path, 'utf8'), {jsx, sourcemap: true});
		if (errors.length > 0) throw errors[0];
		const inline = Buffer.from(JSON.stringify(map)).toString('base64');
		const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`;
		return {format: 'module', source, shortCircuit: true};
	},
});
