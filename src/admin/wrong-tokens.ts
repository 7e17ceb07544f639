// Counts wrong tokens by address, so that guessing is slow: after ten within a minute nobody of that address gets in until the minute is over.

export interface WrongTokens {
  /** Seconds until the address is heard again; undefined: it is heard now. */
  blocked(address: string): number | undefined
  count(address: string): void
}

const usual = { most: 10, withinMs: 60_000, addresses: 10_000 }

/** Remembers a bounded number of addresses; when there are more, those that came first are forgotten. */
export function countWrongTokens(now: () => number, { most, withinMs, addresses } = usual): WrongTokens {
  const seen = new Map<string, { since: number; times: number }>()

  function present(address: string): { since: number; times: number } | undefined {
    const found = seen.get(address)
    // A clock that was set back begins anew.
    return found !== undefined && now() >= found.since && now() - found.since < withinMs ? found : undefined
  }

  return {
    blocked(address) {
      const found = present(network(address))
      return found !== undefined && found.times >= most ? Math.ceil((found.since + withinMs - now()) / 1_000) : undefined
    },
    count(address) {
      const name = network(address)
      const found = present(name)
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

/** Whoever has one IPv6 address mostly has all of its /64. */
function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [before = '', after] = plain.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const groups = after === undefined ? head : [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
