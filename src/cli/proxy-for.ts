// Which proxy a request takes: the one that is named, or the one of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) where that is asked for.
import { proxyAddress } from './setting-texts.ts'
import { UserError } from './user-error.ts'

/** Undefined: none. Throws UserError where the environment's cannot be used; its text may hold a password and is not shown. */
export function proxyFor(target: URL, proxy: string, environment: Record<string, string | undefined>): URL | undefined {
  if (proxy === '') return undefined
  if (proxy !== 'environment') return new URL(proxy)
  const given = (name: string) => environment[name.toLowerCase()] || environment[name] || ''
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  if (given(name) === '' || isExempt(target, given('NO_PROXY'))) return undefined
  try {
    return new URL(proxyAddress(given(name)))
  } catch (cause) {
    throw new UserError(`${name}: expected ${cause instanceof Error ? cause.message : 'an address'}.`, { exitCode: 2, cause })
  }
}

/** As curl reads it: `*`, or names with what is below them, each with or without a leading dot and a port. */
function isExempt({ protocol, hostname, port }: URL, list: string): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some((each) => {
    const [, name = '', onlyPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(each.toLowerCase()) ?? []
    if (each === '*') return true
    if (name === '' || (onlyPort !== undefined && onlyPort !== ownPort)) return false
    return hostname === name || hostname.endsWith(`.${name}`)
  })
}
