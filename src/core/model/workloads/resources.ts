/** What a pod takes of a node: CPU in thousandths of a core, memory in bytes. */
export type Resources = {readonly cpu: number; readonly memory: number};

/** What a node has for its pods together; how many those may be, where it says so. */
export type Allocatable = Resources & {readonly pods?: number};
