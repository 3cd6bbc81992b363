import type {FaultScenario} from './faultScenario.ts';

/** Faults of connections and of the server's process. */
export const networkFaults: readonly FaultScenario[] = [
	{
		name: 'the API server is killed in mid watch, and started again',
		inflict: async (stage) => {
			await stage.server.kill();
			await stage.untilProblem('ServerUnreachable');
			await stage.server.restart();
			await stage.server.change();
		},
	},
	{
		name: 'all connections are reset',
		inflict: async ({gate, server}) => {
			gate.cut();
			await server.change();
		},
	},
	{
		name: 'nothing listens for a while',
		inflict: async (stage) => {
			await stage.gate.refuse();
			await stage.server.change();
			await stage.untilProblem('ServerUnreachable');
			await stage.gate.listen();
		},
	},
	{
		name: 'the connections go half open: their packets are dropped',
		isMute: true,
		inflict: async ({gate, server}) => {
			gate.freeze();
			await server.change();
		},
	},
	{
		name: 'the packets of new connections are dropped as well, for a while',
		isMute: true,
		inflict: async (stage) => {
			const heal = stage.gate.drop();
			await stage.server.change();
			await stage.untilProblem('ServerUnreachable');
			heal();
		},
	},
	{
		name: 'it is half open from the first request on',
		isMute: true,
		isEarly: true,
		before: async (stage) => {
			stage.release = stage.gate.drop();
			return undefined;
		},
		inflict: async (stage) => {
			await stage.untilProblem('ServerUnreachable');
			stage.release();
		},
	},
];
