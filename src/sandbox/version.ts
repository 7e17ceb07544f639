// The release of the hosting service that the sandbox behaves like; deliveries say it in their User-Agent.
export const version = '17.11.0'
/** Real installations show a commit here; the sandbox has none. */
export const revision = 'sandbox'
