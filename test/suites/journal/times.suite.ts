// The times of merge requests: stored once however often they come, and found by the weeks in which something ended.
import type { Journal } from '../../../src/journal/journal.ts'
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../../../src/rules/types.ts'
import { DAY_MS, delivery, mergeRequest } from './records.ts'

const monday = new Date('2026-11-16T00:00:00.000Z')
const days = (number: number) => new Date(monday.getTime() + number * DAY_MS)
const everything = { since: days(-700), until: days(700) }

export function journalTimesSuite(open: () => Journal): void {
  const tell = (of: MergeRequestRef, kind: string, at: Date, username = 'bob', state: 'read' | 'refused' = 'read') =>
    open().deliveries.save(delivery({ state, event: { kind, actor: { username }, at: at.toISOString(), ...of } }))
  const found = async (of: Parameters<Journal['mergeRequests']['times']>[0], limit = 99) =>
    (await open().mergeRequests.times(of, limit)).map(({ mergeRequest: { iid } }) => iid)

  describe('times', () => {
    test('are stored for each merge request, and each change counts, also of many at once', async () => {
      const of = mergeRequest()
      const waits = { waits: [{ at: days(1).getTime(), for: 'review' as const }], bot: 'bellhop' }
      await Promise.all([
        tell(of, 'merge_request.open', days(0), 'alice'),
        ...['bob', 'carol', 'bob'].map((name, at) => tell(of, 'note.create', days(1 + at), name)),
        tell(of, 'merge_request.merge', days(2)),
        tell(of, 'merge_request.approved', days(0), 'mallory', 'refused'),
        open().mergeRequests.save(of, { waits }),
      ])
      const [only, ...others] = await open().mergeRequests.times({ project: of.project, ...everything }, 99)
      expect(others).toEqual([])
      expect(only).toEqual({
        mergeRequest: of,
        times: {
          opened: { at: days(0).getTime(), by: 'alice' },
          reviews: [
            { at: days(1).getTime(), by: 'bob' },
            { at: days(2).getTime(), by: 'carol' },
          ],
          ...{ approvals: [], merged: days(2).getTime(), ...waits },
        },
      })
    })

    test('are none of an issue', async () => {
      const of = mergeRequest()
      const issue = issueRef(of.project, of.iid)
      await tell(issue, 'note.create', days(1))
      await tell(issue, 'merge_request.merge', days(2))
      expect(await found({ project: of.project, ...everything })).toEqual([])
    })

    test('are found by project and the weeks in which something ended', async () => {
      const first = mergeRequest()
      const same = { ...first, iid: first.iid + 1 }
      const other = { ...mergeRequest(), iid: first.iid + 2 }
      for (const [of, at] of [[first, 6] as const, [same, 7] as const, [other, 8] as const])
        await tell(of, 'merge_request.merge', days(at))
      const { project } = first
      expect(await found(everything, 10_000)).toEqual(expect.arrayContaining([first.iid, same.iid, other.iid]))
      expect(await found({ project, ...everything })).toEqual([same.iid, first.iid])
      expect(await found({ project, since: days(7), until: days(14) })).toEqual([same.iid])
      expect(await found({ project, since: days(0), until: days(7) })).toEqual([first.iid])
      expect(await found({ project, ...everything }, 1)).toEqual([same.iid])
    })

    test('are found where nothing has ended only once something has', async () => {
      const of = mergeRequest()
      await tell(of, 'merge_request.open', days(0))
      expect(await found({ project: of.project, ...everything })).toEqual([])
      await tell(of, 'note.create', days(1))
      expect(await found({ project: of.project, ...everything })).toEqual([of.iid])
    })

    test('are deleted thirteen weeks after the last change', async () => {
      const of = mergeRequest()
      await tell(of, 'merge_request.merge', days(0))
      await open().prune(new Date(Date.now() + 90 * DAY_MS))
      expect(await found({ project: of.project, ...everything })).toEqual([of.iid])
      await open().prune(new Date(Date.now() + 92 * DAY_MS))
      expect(await found({ project: of.project, ...everything })).toEqual([])
    })
  })
}
