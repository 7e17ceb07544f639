// Ids that begin with a prefix, as people copy them from pages.
import type { JournalStore } from '../stores/store.ts'
import { key, recordKeyOf } from './keys.ts'

const READ_AT_ONCE = 1_000
const indices = { delivery: key('deliveries'), decision: key('decisions'), evaluation: key('evaluations') }

/** Reads the whole index: only for ids that name no record. Newest first, at most `limit`. */
export async function idsFrom(
  store: JournalStore,
  of: keyof typeof indices,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const found = new Set<string>()
  for (let before: string | undefined; ; ) {
    const members = await store.members(indices[of], {
      limit: READ_AT_ONCE,
      ...(before === undefined ? {} : { before }),
    })
    for (const each of members) {
      const [kind, id] = JSON.parse(recordKeyOf(each)) as [string, string]
      if (kind === of && id.startsWith(prefix)) found.add(id)
      if (found.size === limit) return [...found]
    }
    before = members.at(-1)
    if (members.length < READ_AT_ONCE) return [...found]
  }
}
