import packageJson from '../../package.json' with {type: 'json'};

export const program = {name: packageJson.name, version: packageJson.version};

/** The version in kubectl's form. */
export const programVersion = `v${packageJson.version}`;
