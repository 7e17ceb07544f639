// The GitLab release that the sandbox imitates; deliveries send it in User-Agent.
export const version = '17.11.0'
/** GitLab shows a commit here. */
export const revision = 'sandbox'
