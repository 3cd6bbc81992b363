import type {Check} from '../judge.ts';
import {head, type Unpacked} from './archives.ts';

/** The maximum size of an archive, in bytes. */
const heaviest = 50e6;

/** Where an executable's header has the processor's number, and its expected values. */
type Format = {
	readonly magic: string;
	readonly machine: (file: Buffer) => number;
	readonly amd64: number;
	readonly arm64: number;
};

const formatOf: Readonly<Record<Unpacked['os'], Format>> = {
	linux: {magic: '7f454c46', machine: (file) => file.readUInt16LE(18), amd64: 62, arm64: 183},
	darwin: {magic: 'cffaedfe', machine: (file) => file.readUInt32LE(4), amd64: 0x1000007, arm64: 0x100000c},
	windows: {
		magic: '4d5a',
		// The PE header starts at the offset in the last word of the DOS header.
		machine: (file) => file.readUInt16LE(file.readUInt32LE(0x3c) + 4),
		amd64: 0x8664,
		arm64: 0xaa64,
	},
};

/** Checks an archive without running its content. */
export function formats({os, arch, size, files, executable}: Unpacked): readonly Check[] {
	const start = head(executable);
	const {magic, machine, ...machines} = formatOf[os];
	const wanted = ['LICENSE', 'NOTICE', 'THIRD_PARTY_LICENSES', 'completions'];
	const missing = wanted.filter((file) => !files.includes(file));
	return [
		{name: `${os}/${arch}: at most 50 MB`, failures: size <= heaviest ? [] : [`${size} bytes`]},
		{name: `${os}/${arch}: its licenses and completions are in it`, failures: missing},
		{
			name: `${os}/${arch}: an executable of that system and processor`,
			failures:
				start.toString('hex').startsWith(magic) && machine(start) === machines[arch] ? [] : [executable],
		},
	];
}
