import {stopReading} from './typedInput.ts';

type QuestionedTerminal = {
	readonly stdin: Pick<NodeJS.ReadStream, 'on' | 'off' | 'read' | 'pause' | 'unshift' | 'setRawMode'>;
	readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
};

/** OSC 11 asks for the background. All terminals answer the request for device attributes (DA1) after it, in order. */
const question = '\x1b]11;?\x1b\\\x1b[c';
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals answer in control characters
const background = /\x1b\]11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)[\da-f/]*(?:\x07|\x1b\\)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals answer in control characters
const attributes = /\x1b\[\?[\d;]*c/;

/** After this many milliseconds, a terminal does not answer at all. */
const patience = 1000;

/**
 * Asks a terminal whether its background is light; false if it does not know. Nothing else may read from the terminal
 * meanwhile; what is typed meanwhile is left to the next reader.
 */
export async function hasLightBackground({stdin, stdout}: QuestionedTerminal): Promise<boolean> {
	const answered = Promise.withResolvers<void>();
	let received = '';
	const onReadable = () => {
		for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) received += String(chunk);
		if (attributes.test(received)) answered.resolve();
	};
	const timer = setTimeout(answered.resolve, patience);
	stdin.setRawMode(true);
	stdin.on('readable', onReadable);
	stdout.write(question);
	await answered.promise;
	clearTimeout(timer);
	stdin.off('readable', onReadable);
	await stopReading(stdin);
	stdin.setRawMode(false);
	const typed = received.replace(background, '').replace(attributes, '');
	if (typed !== '') stdin.unshift(Buffer.from(typed));
	return isLight(background.exec(received)?.slice(1) ?? []);
}

/** Whether a colour of red, green and blue, in hexadecimal digits, is nearer to white than to black. */
function isLight(channels: readonly string[]): boolean {
	const [red = 0, green = 0, blue = 0] = channels.map(
		(digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1),
	);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}
