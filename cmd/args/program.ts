import packageJson from '../../package.json' with {type: 'json'};

/** The program's name and version in npm. */
export const program = {name: packageJson.name, version: packageJson.version};

/** The version in kubectl's form. */
export const programVersion = `v${packageJson.version}`;
