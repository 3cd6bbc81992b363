/** A pod's requests: CPU in thousandths of a core, memory in bytes. */
export type Resources = {readonly cpu: number; readonly memory: number};

/** What a node offers its pods in total, with the maximum number of pods if reported. */
export type Allocatable = Resources & {readonly pods?: number | undefined};
