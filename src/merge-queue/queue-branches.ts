// The names of the branches of all merge queues.

export const queueBranches = 'bellhop/queue/'

/** Whether Bellhop made the branch, or somebody who uses its names. */
export const isQueueBranch = (branch: string) => branch.startsWith(queueBranches)
