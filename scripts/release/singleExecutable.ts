import {createRequire, registerHooks} from 'node:module';
import {getRawAsset} from 'node:sea';
import {pathToFileURL} from 'node:url';

// The main module of the single executable. The program's modules are its assets, which Node.js cannot import by itself:
// these hooks resolve them as if the executable were a folder.
const executable = pathToFileURL(process.execPath).href;
const inside = `${executable}/`;

registerHooks({
	resolve(specifier, context, next) {
		const isOurs = specifier.startsWith('.') && context.parentURL?.startsWith(inside);
		const url = isOurs ? new URL(specifier, context.parentURL).href : specifier;
		return url.startsWith(inside) ? {url, format: 'module', shortCircuit: true} : next(specifier, context);
	},
	load(url, context, next) {
		if (!url.startsWith(inside)) return next(url, context);
		const source = Buffer.from(getRawAsset(url.slice(inside.length))).toString();
		return {source, format: 'module', shortCircuit: true};
	},
});

// The main module can import only built-in modules; a module that it requires can import the assets.
const {start} = createRequire(executable)(`${inside}start.mjs`);
await start();
