/** The questions of an outage, the commands that answer them, and words that people type instead. */
export const questions: readonly {
	readonly command: string;
	readonly rest: string;
	readonly answer: string;
	readonly guesses: readonly string[];
}[] = [
	{
		command: 'status',
		rest: '',
		answer: 'the outage on one page, and when it ends',
		guesses: ['when', 'end', 'ends', 'eta', 'next', 'outage', 'overview', 'info', 'cluster-info'],
	},
	{
		command: 'pods',
		rest: '-A',
		answer: 'which pods are next, and when; -w keeps watching',
		guesses: ['who', 'which', 'list', 'ls', 'watch', 'evictions', 'evicted', 'forecast', 'predict'],
	},
	{
		command: 'explain',
		rest: 'POD|node/NAME',
		answer: 'why it is evicted, or why not',
		guesses: ['why', 'why-not', 'reason', 'cause'],
	},
	{
		command: 'rescue',
		rest: 'POD|deploy/NAME',
		answer: 'how to save it, and until when',
		guesses: ['save', 'keep', 'fix', 'prevent', 'protect', 'stop', 'recover'],
	},
	{
		command: 'workloads',
		rest: '-A',
		answer: 'which workloads reach zero, and when',
		guesses: ['zero', 'impact', 'apps', 'all'],
	},
	{
		command: 'what-if',
		rest: '--node-down NODE',
		answer: 'what one more dead node would do',
		guesses: ['kill', 'fail', 'lose', 'down', 'simulate', 'suppose', 'drain'],
	},
	{
		command: 'zones',
		rest: '',
		answer: 'how fast zones evict, what stops and resumes that',
		guesses: ['held', 'rate', 'region', 'regions'],
	},
];
