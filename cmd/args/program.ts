import packageJson from '../../package.json' with {type: 'json'};

/** The name of the program, and its version, as npm knows them. */
export const program = {name: packageJson.name, version: packageJson.version};

/** The version of evictwatch, as kubectl writes its own. */
export const programVersion = `v${packageJson.version}`;
