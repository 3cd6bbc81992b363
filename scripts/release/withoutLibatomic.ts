const library = 'libatomic.so.1';

/** All that Node.js calls of it, and always with eight bytes: V8 does so for its lists of free table entries. */
const called = '__atomic_compare_exchange';

type Processor = {
	/** The type of a relocation that writes an address of the file itself. */
	readonly relative: number;
	/** `bool f(size_t size, void *at, void *expected, void *desired)` for a size of eight; another one ends the program. */
	readonly code: string;
};

/** By the processor's number in the file. */
const processors: Readonly<Record<number, Processor>> = {
	// endbr64; cmp $8,%rdi; jne 2f; mov (%rdx),%rax; mov (%rcx),%rcx; lock cmpxchg %rcx,(%rsi); je 1f; mov %rax,(%rdx);
	// 1: sete %al; ret; 2: ud2
	62: {relative: 8, code: 'f30f1efa4883ff087514488b02488b09f0480fb10e74034889020f94c0c30f0b'},
	// bti c; cmp x0,#8; b.ne 3f; ldr x4,[x2]; ldr x5,[x3]; 1: ldaxr x6,[x1]; cmp x6,x4; b.ne 2f; stlxr w7,x5,[x1];
	// cbnz w7,1b; mov w0,#1; ret; 2: str x6,[x2]; mov w0,#0; ret; 3: udf #0
	183: {
		relative: 1027,
		code:
			'5f2403d51f2000f1a1010054440040f9650040f926fc5fc8df0004eba1000054' +
			'25fc07c887ffff3520008052c0035fd6460000f900008052c0035fd600000000',
	},
};

/** Types of sections, by the ELF specification. */
const types = {
	relocations: 4,
	dynamic: 6,
	symbols: 11,
	neededVersions: 0x6ffffffe,
	symbolVersions: 0x6fffffff,
};

/**
 * Lets Linux' Node.js do without libatomic, which minimal systems lack: the one function that it calls there is added to its
 * own code. The file itself is changed.
 *
 * @throws Error if it calls others
 */
export function withoutLibatomic(file: Buffer): Buffer {
	const processor = processors[file.readUInt16LE(18)];
	if (!processor) throw new Error('no atomics are written for this processor');
	const word = (at: number) => Number(file.readBigUInt64LE(at));
	const setWord = (at: number, value: number) => file.writeBigUInt64LE(BigInt(value), at);
	const sections = rows(word(40), file.readUInt16LE(60), 64).map((at) => ({
		type: file.readUInt32LE(at + 4),
		offset: word(at + 24),
		size: word(at + 32),
		link: file.readUInt32LE(at + 40),
	}));
	const section = (type: number) => {
		const section = sections.find((section) => section.type === type);
		if (!section) throw new Error(`the executable has no section of type ${type}`);
		return section;
	};
	const symbols = section(types.symbols);
	const dynamic = section(types.dynamic);
	const text = (index: number) => {
		const at = (sections[symbols.link]?.offset ?? 0) + index;
		return file.toString('latin1', at, file.indexOf(0, at));
	};

	const needed = rows(dynamic.offset, dynamic.size / 16, 16).find(
		(at) => word(at) === 1 && text(word(at + 8)) === library,
	);
	if (needed === undefined) return file;
	// The loader reads entries until one of zeros.
	file.copyWithin(needed, needed + 16, dynamic.offset + dynamic.size);

	// It looks for each library that versions are asked of: let another one be asked once more in place of this one.
	const versions: number[] = [];
	for (let at = section(types.neededVersions).offset, next = 1; next > 0; at += next) {
		versions.push(at);
		next = file.readUInt32LE(at + 12);
	}
	const isOfLibrary = (at: number) => text(file.readUInt32LE(at + 4)) === library;
	const asked = versions.find(isOfLibrary) ?? 0;
	const other = versions.find((at) => !isOfLibrary(at)) ?? 0;
	const [unwanted = 0, wanted = 0] = [asked, other].map((at) => at + file.readUInt32LE(at + 8));
	if (file.readUInt16LE(asked + 2) !== 1) throw new Error(`Node.js asks for several versions of ${library}`);
	file.copy(file, asked + 4, other + 4, other + 8);
	// The version's hash, and its name.
	for (const field of [0, 8]) file.copy(file, unwanted + field, wanted + field, wanted + field + 4);

	const versionOf = (symbol: number) => file.readUInt16LE(section(types.symbolVersions).offset + symbol * 2);
	const nameOf = (symbol: number) => text(file.readUInt32LE(symbols.offset + symbol * 24));
	const address = appendCode(file, Buffer.from(processor.code, 'hex'));
	for (const {offset, size} of sections.filter(({type}) => type === types.relocations)) {
		for (const at of rows(offset, size / 24, 24)) {
			const symbol = file.readUInt32LE(at + 12);
			if (versionOf(symbol) !== file.readUInt16LE(unwanted + 6)) continue;
			if (nameOf(symbol) !== called) throw new Error(`Node.js calls ${nameOf(symbol)} of ${library}`);
			setWord(at + 8, processor.relative);
			setWord(at + 16, address);
		}
	}
	return file;
}

/** Puts code behind that of an executable, where the file has zeros up to the next page. Returns its address. */
function appendCode(file: Buffer, code: Buffer): number {
	const word = (at: number) => Number(file.readBigUInt64LE(at));
	const segment = rows(word(32), file.readUInt16LE(56), 56).find(
		(at) => file.readUInt32LE(at) === 1 && (file.readUInt32LE(at + 4) & 1) === 1,
	);
	if (segment === undefined) throw new Error('the executable has no code');
	const size = Math.ceil(word(segment + 32) / 16) * 16;
	const at = word(segment + 8) + size;
	if (file.subarray(at, at + code.length).some((byte) => byte !== 0))
		throw new Error('the executable has no room for code');
	code.copy(file, at);
	for (const field of [32, 40]) file.writeBigUInt64LE(BigInt(size + code.length), segment + field);
	return word(segment + 16) + size;
}

const rows = (offset: number, count: number, size: number): readonly number[] =>
	Array.from({length: count}, (_, index) => offset + index * size);
