// Counts wrong tokens by address to slow down guessing: after ten within a minute the address is blocked until it ends.
import { LRUCache } from 'lru-cache'

const defaults = { most: 10, withinMs: 60_000, addresses: 10_000 }

/** `now` is a clock that is never set back. Remembers a bounded number of addresses and evicts the oldest. */
export function countWrongTokens(now: () => number, { most, withinMs, addresses } = defaults) {
  const wrong = new LRUCache<string, { times: number }>({
    max: addresses,
    ttl: withinMs,
    ttlResolution: 0,
    perf: { now },
  })
  return {
    /** Seconds until the address is unblocked; undefined if it is not blocked. */
    blockedSeconds(address: string): number | undefined {
      const key = network(address)
      const isBlocked = (wrong.get(key)?.times ?? 0) >= most
      return isBlocked ? Math.ceil(wrong.getRemainingTTL(key) / 1_000) || undefined : undefined
    },
    count(address: string): void {
      const key = network(address)
      const found = wrong.get(key)
      if (found === undefined) wrong.set(key, { times: 1 })
      else found.times += 1
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
