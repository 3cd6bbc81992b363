import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {platforms} from '../../scripts/release/platforms.ts';
import runtime from '../../tools/runtime/package.json' with {type: 'json'};

type Entry = {
	readonly integrity?: string;
	readonly resolved?: string;
	readonly link?: boolean;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
};
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
	readonly packages: Readonly<Record<string, Entry>>;
};
const entries = Object.entries(lock.packages);
/** Packages from a registry; the other entries are folders of this project. */
const fetched = entries.filter(([path, {link}]) => path.includes('node_modules/') && !link);

test('every package is held against a SHA-512, those of other platforms too', () => {
	expect(fetched.length).toBeGreaterThan(100);
	const unchecked = fetched.filter(([, {integrity = ''}]) => !/^sha512-[A-Za-z\d+/]{86}==$/.test(integrity));
	expect(unchecked.map(([path]) => path)).toEqual([]);
});

test('no optional package is lost, of whatever platform', () => {
	const lost = entries.flatMap(([path, {optionalDependencies = {}}]) =>
		Object.keys(optionalDependencies).filter((name) => !isIn(path, name)),
	);
	expect(lost).toEqual([]);
});

/** Node.js searches below the package, then below each of its parent folders. */
function isIn(path: string, name: string): boolean {
	const folders = path.split('/');
	return folders
		.concat('')
		.map((_, depth) => [...folders.slice(0, depth), 'node_modules', name].join('/'))
		.some((place) => Object.hasOwn(lock.packages, place));
}

test('no registry is named, and nothing comes from elsewhere', () => {
	const named = entries.filter(([, {resolved}]) => resolved !== undefined);
	expect(named).toEqual([['node_modules/evictwatch-runtime', {resolved: 'tools/runtime', link: true}]]);
	expect(readFileSync('package-lock.json', 'utf8')).not.toContain('.tgz');
	expect(readFileSync('.npmrc', 'utf8')).toContain('omit-lockfile-registry-resolved=true');
});

test('all platforms have one version of Node.js', () => {
	const {version, optionalDependencies} = runtime;
	expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([version]));
	expect(platforms.map(({runtime}) => runtime).toSorted()).toEqual(Object.keys(optionalDependencies));
});
