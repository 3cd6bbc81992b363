/** The colour depth of a terminal in bits; 1 without colours. */
export type ColorDepth = 1 | 4 | 8 | 24;

export type Capabilities = {readonly depth: ColorDepth; readonly isUnicode: boolean};

type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

/** Reads a terminal's capabilities from the environment, as other programs do: NO_COLOR, COLORTERM, TERM, the locale. */
export const capabilitiesOf = (env: TerminalEnvironment, platform: NodeJS.Platform): Capabilities => ({
	depth: depthOf(env),
	isUnicode: isUnicode(env, platform),
});

function depthOf(env: TerminalEnvironment): ColorDepth {
	if (env['NO_COLOR']) return 1;
	const forced = forcedDepths[env['FORCE_COLOR'] ?? ''];
	if (forced !== undefined) return forced;
	const term = env['TERM'] ?? '';
	if (term === 'dumb') return 1;
	if (/truecolor|24bit/i.test(env['COLORTERM'] ?? '') || env['WT_SESSION'] || /-direct$/.test(term))
		return 24;
	if (/256/.test(term)) return 8;
	return /mono|vt100|vt220$/.test(term) ? 1 : 4;
}

const forcedDepths: Readonly<Record<string, ColorDepth>> = {
	'0': 1,
	false: 1,
	'1': 4,
	true: 4,
	'2': 8,
	'3': 24,
};

// On Windows all current terminals support Unicode, and the environment has no locale.
function isUnicode(env: TerminalEnvironment, platform: NodeJS.Platform) {
	const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
	return platform === 'win32' || /utf-?8/i.test(locale);
}
