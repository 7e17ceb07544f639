// Texts that several pages share.

export const noProjects = 'No project has sent a delivery yet. Register a hook: bellhop hooks install hotel/app'

/** `1 job`, `2 jobs`. */
export const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
