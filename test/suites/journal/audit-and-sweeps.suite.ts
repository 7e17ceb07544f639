// The audit log, the known projects and the sweeps over them.
import { randomUUID } from 'node:crypto'
import { type Journal, readSweep, saveSweep } from '../../../src/journal/journal.ts'
import { pastRulesId, pastRulesOperation } from '../../../src/journal/tables/audit.ts'
import type { DeliveryRecord, SweepRecord } from '../../../src/journal/types.ts'
import { DAY_MS, delivery, event, mergeRequest } from './records.ts'

export function journalAuditAndSweepsSuite(open: () => Journal): void {
  describe('audit log', () => {
    test('lists each entry as it was saved last, newest first, and drops it after 400 days', async () => {
      const now = new Date('2019-06-01T00:00:00.000Z')
      const entry = (days: number) => ({
        ...{ id: randomUUID(), by: 'ann', operation: 'pause', to: { project: 7 }, why: 'a “freeze”\u0000' },
        at: new Date(now.getTime() - days * DAY_MS).toISOString(),
      })
      const [old, young, newest] = [entry(401), entry(399), entry(1)]
      for (const each of [young, newest, old]) await open().audit.save(each)
      await open().audit.save({ ...young, status: 202 })
      const first = await open().audit.list({ limit: 2 })
      expect(first.items).toEqual([newest, { ...young, status: 202 }])
      expect(await open().audit.list({ limit: 2, after: first.next ?? '' })).toEqual({ items: [old] })
      await open().prune(now)
      expect((await open().audit.list({ limit: 5 })).items).toEqual([newest, { ...young, status: 202 }])
    })
    test('lists the merges past the rules of a project or of all, newest first, each once', async () => {
      const { project } = mergeRequest()
      const save = (of: number, iid: number, day: number, by = 'bob') =>
        open().audit.save({
          ...{ id: pastRulesId(of, iid), at: `2026-01-0${day}T00:00:00.000Z`, by },
          ...{ operation: pastRulesOperation, to: { project: of, iid } },
        })
      const other = project * 10
      for (const [of, iid, day] of [
        [project, 1, 1],
        [project, 2, 3],
        [other, 1, 2],
      ] as const)
        await save(of, iid, day)
      await save(project, 2, 3, 'carol\u0000')
      const list = async (of: number | undefined, since: string, limit = 9) =>
        (await open().audit.list({ ids: of === undefined ? pastRulesId('') : pastRulesId(of, ''), since, limit })).items
          .filter(({ to }) => to.project === project || to.project === other)
          .map(({ to, by }) => [to.project, to.iid, by])
      const first = [project, 2, 'carol\u0000']
      expect(await list(project, '2026-01-01T00:00:00Z')).toEqual([first, [project, 1, 'bob']])
      expect(await list(project, '2026-01-02T00:00:00Z')).toEqual([first])
      expect(await list(undefined, '2026-01-02T00:00:00Z')).toEqual([first, [other, 1, 'bob']])
      expect(await list(project, '2026-01-01T00:00:00Z', 1)).toEqual([first])
    })
  })

  describe('projects and sweeps', () => {
    test('a project is known by the merge requests that deliveries wake, until it is forgotten or they are pruned', async () => {
      const { project } = mergeRequest()
      const woke = (of: number, receivedAt: string) =>
        delivery({ state: 'read', receivedAt, mergeRequests: [{ project: of, iid: 1 }] })
      const [recent, gone, old] = [project, project + 100_000, project + 200_000]
      await open().deliveries.save(
        delivery({ state: 'no_merge_request', event: { ...event(), project: project + 300_000 } }),
      )
      const save = (given: DeliveryRecord) =>
        open().deliveries.save(given, {
          pending: { of: given.mergeRequests, event: { deliveryId: given.id, event: event() } },
        })
      for (const of of [recent, gone]) await save(woke(of, new Date().toISOString()))
      await save(woke(old, new Date(Date.now() - 31 * DAY_MS).toISOString()))
      const known = async () => {
        const all = await open().projects.known()
        return [recent, gone, old, project + 300_000].filter((each) => all.includes(each))
      }
      expect(await known()).toEqual([recent, gone, old])
      await open().projects.forget(gone)
      await open().prune(new Date())
      expect(await known()).toEqual([recent])
    })

    test('a sweep is read back as it was saved last', async () => {
      const sweep: SweepRecord = {
        ...{ id: randomUUID(), of: 'hotel', dryRun: true, state: 'running', calls: 3 },
        askedAt: '2026-11-21T10:00:00.000Z',
        projects: [{ project: 1, path: 'hotel/a', looked: 2, enqueued: [{ iid: 7, why: 'waits' }], left: false }],
      }
      expect(await readSweep(open(), sweep.id)).toBeUndefined()
      await saveSweep(open(), { ...sweep, projects: [] })
      await saveSweep(open(), sweep)
      expect(await readSweep(open(), sweep.id)).toEqual(sweep)
    })
  })
}
