import {expect, test} from 'vitest';
import {readPem} from '../../../src/cluster/access/certificates.ts';
import {TemporaryFolder} from '../../support/testEnvironment.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.for(['   ', '####', base64('\n'), 'LS0t LS0*', base64('not PEM')])(
	'CA data that decodes to no PEM is an error, and never the authorities of the system: "%s"',
	async (data) => {
		await expect(readPem(data, '', 'CA certificate')).rejects.toThrow(
			'there is no PEM in the data of the CA certificate',
		);
	},
);

test.for([' \n', 'no PEM\n', '\0\u0001'])('so is a CA file with none in it: %j', async (text) => {
	using folder = new TemporaryFolder();
	const file = folder.write('ca.pem', text);
	await expect(readPem('', file, 'CA certificate')).rejects.toThrow(
		`there is no PEM in the CA certificate in ${file}`,
	);
});

test('data is decoded, in lines as well, and wins over a file', async () => {
	const data = base64('-----BEGIN CERTIFICATE-----\n').replace(/.{8}/g, '$&\n');
	expect(await readPem(data, '/nonexistent', 'CA certificate')).toBe('-----BEGIN CERTIFICATE-----\n');
	expect(await readPem('', '', 'CA certificate')).toBe('');
});
