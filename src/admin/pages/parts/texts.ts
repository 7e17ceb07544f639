// Texts that several pages share.

export const noProjects = 'No project has sent a delivery yet. Register a hook: bellhop hooks install hotel/app'
