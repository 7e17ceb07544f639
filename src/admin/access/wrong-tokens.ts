// Counts wrong tokens by address to slow down guessing: after ten within a minute the address is blocked until it ends.

export interface WrongTokens {
  /** Seconds until the address is unblocked; undefined if it is not blocked. */
  blockedSeconds(address: string): number | undefined
  count(address: string): void
}

const defaults = { most: 10, withinMs: 60_000, addresses: 10_000 }

/** Remembers a bounded number of addresses and evicts the oldest. */
export function countWrongTokens(now: () => number, { most, withinMs, addresses } = defaults): WrongTokens {
  const seen = new Map<string, { since: number; times: number }>()

  function current(address: string): { since: number; times: number } | undefined {
    const found = seen.get(address)
    // Starts over if the clock was set back.
    return found !== undefined && now() >= found.since && now() - found.since < withinMs ? found : undefined
  }

  return {
    blockedSeconds(address) {
      const found = current(network(address))
      return found !== undefined && found.times >= most
        ? Math.ceil((found.since + withinMs - now()) / 1_000)
        : undefined
    },
    count(address) {
      const name = network(address)
      const found = current(name)
      if (found !== undefined) {
        found.times += 1
        return
      }
      seen.delete(name)
      const [first] = seen.keys()
      if (seen.size >= addresses && first !== undefined) seen.delete(first)
      seen.set(name, { since: now(), times: 1 })
    },
  }
}

/** An IPv4 address, or the /64 of an IPv6 address: one client usually has all of it. */
function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [before = '', after] = plain.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const groups =
    after === undefined
      ? head
      : [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
