// Chooses the proxy: the given one, or for `environment` that of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
import { expectation } from '../settings/setting.ts'
import { proxyAddress } from '../settings/setting-values.ts'
import { UsageError } from '../user-error.ts'

/** Undefined: none. Throws UsageError without the text, which may hold a password. */
export function proxyFor(target: URL, proxy: string, environment: Record<string, string | undefined>): URL | undefined {
  if (proxy === '') return undefined
  if (proxy !== 'environment') return new URL(proxy)
  const given = (name: string) => environment[name.toLowerCase()] || environment[name] || ''
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  if (given(name) === '' || isExempt(target, given('NO_PROXY'))) return undefined
  try {
    return new URL(proxyAddress(given(name)))
  } catch (cause) {
    throw new UsageError(`${name}: ${expectation(cause)}.`, { cause })
  }
}

/** As in curl: `*`, or names including subdomains, with an optional leading dot and port. */
function isExempt({ protocol, hostname, port }: URL, list: string): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some((each) => {
    const [, name = '', onlyPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(each.toLowerCase()) ?? []
    if (each === '*') return true
    if (name === '' || (onlyPort !== undefined && onlyPort !== ownPort)) return false
    return hostname === name || hostname.endsWith(`.${name}`)
  })
}
