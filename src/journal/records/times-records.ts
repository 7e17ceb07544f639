// The times of merge requests, found by the weeks in which something ended.
import type { MergeRequestRef } from '../../rules/types.ts'
import type { JournalStore } from '../stores/store.ts'
import { endsOf, type MergeRequestTimes, tellsTimes, timesAfter } from '../time-figures.ts'
import type { Journal } from '../types.ts'
import { weekOf } from '../weeks.ts'
import { key, member, memberAt, mergeRequestKey, recordKeyOf } from './keys.ts'
import type { Records } from './records.ts'
import type { RetentionPolicy } from './retention.ts'

const AT_ONCE = 500

/** `prune` deletes the index entries past the retention; the records expire. */
export function timesRecords(
  store: JournalStore,
  records: Records,
  { times: keepMs }: Pick<RetentionPolicy, 'times'>,
): { methods: Pick<Journal, 'noteTimes' | 'mergeRequestTimes'>; prune: (now: Date) => Promise<void> } {
  return {
    methods: {
      async noteTimes(mergeRequest, change) {
        if ('event' in change && !tellsTimes(change.event)) return
        const recordKey = mergeRequestKey(TIMES, mergeRequest)
        const after = timesAfter(await records.one(recordKey), change)
        if (after === undefined) return
        // Before the record: after a crash the change comes again, and the record must still lack it.
        const weeks = [...new Set(endsOf(after).map((at) => member(weekOf(at), recordKey)))]
        const index = weeks.flatMap((each) => entriesOf(each, mergeRequest))
        if ('event' in change && index.length > 0) await store.write({ index })
        await records.change<MergeRequestTimes>(recordKey, (before) => timesAfter(before, change), keepMs)
      },

      async mergeRequestTimes({ project, since, until }, limit) {
        const found = new Set<string>()
        const first = memberAt(since)
        for (let before = memberAt(until); found.size < limit; ) {
          const members = await store.members(indexOf(project), { before, limit: AT_ONCE })
          for (const each of members) if (each >= first && found.size < limit) found.add(recordKeyOf(each))
          const last = members.at(-1)
          if (last === undefined || members.length < AT_ONCE || last < first) break
          before = last
        }
        const keys = [...found]
        const all: { mergeRequest: MergeRequestRef; times: MergeRequestTimes }[] = []
        for (let from = 0; from < keys.length; from += AT_ONCE) {
          const some = keys.slice(from, from + AT_ONCE)
          for (const [at, times] of (await records.all<MergeRequestTimes>(some)).entries())
            if (times !== undefined) all.push({ mergeRequest: refOf(some[at] ?? ''), times })
        }
        return all
      },
    },

    async prune(now) {
      const before = memberAt(new Date(now.getTime() - keepMs))
      for (let old: string[] | undefined; old === undefined || old.length === AT_ONCE; ) {
        old = await store.oldest(indexOf(), { before, limit: AT_ONCE })
        await store.write({ unindex: old.flatMap((each) => entriesOf(each, refOf(recordKeyOf(each)))) })
      }
    },
  }
}

const TIMES = 'times'

/** Of all, or of a project. */
const indexOf = (project?: number) => key('times by week', ...(project === undefined ? [] : [project]))

const entriesOf = (named: string, { project }: MergeRequestRef) =>
  [indexOf(), indexOf(project)].map((name) => ({ name, member: named }))

function refOf(recordKey: string): MergeRequestRef {
  const [, project, iid] = JSON.parse(recordKey) as [string, number, number]
  return { project, iid }
}
