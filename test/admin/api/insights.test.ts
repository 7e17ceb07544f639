// Insights of a journal that holds given times: in which week what counts, what is left out, and what is cut.
import { MOST_READ, readInsights } from '../../../src/admin/api/insights.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import type { MergeRequestTimes } from '../../../src/rules/explain/time-figures.ts'

const hour = 3_600_000
const now = Date.parse('2026-11-25T12:00:00Z')
const monday = Date.parse('2026-11-23T00:00:00Z')
const week = 7 * 24 * hour

/** Opened at a time, and merged so many hours later. */
const merged = (opened: number, hours: number, more: Partial<MergeRequestTimes> = {}): MergeRequestTimes => ({
  ...{ opened: { at: opened, by: 'alice' }, reviews: [], approvals: [], waits: [] },
  ...{ merged: opened + hours * hour, ...more },
})
const unseen = (at: number): MergeRequestTimes => ({ reviews: [], approvals: [], waits: [], merged: at })
const journal = (...all: [project: number, times: MergeRequestTimes][]): Pick<Journal, 'mergeRequests'> => ({
  mergeRequests: {
    times: async (_, limit) =>
      all.slice(0, limit).map(([project, times], iid) => ({ mergeRequest: { project, iid }, times })),
  } as Journal['mergeRequests'],
})
const read = (weeks: number, ...all: Parameters<typeof journal>) => readInsights(journal(...all), { now, weeks })

describe('insights', () => {
  it('count each time in the week in which it ended, newest week first', async () => {
    const review = { reviews: [{ at: monday - hour, by: 'bob' }] }
    const { from, weeks } = await read(3, [1, merged(monday - 3 * hour, 5, review)])
    expect(from).toBe('2026-11-09T00:00:00.000Z')
    const figure = (hours: number) => ({ count: 1, medianMs: hours * hour, totalMs: hours * hour })
    expect(weeks).toEqual(
      [
        { week: 'W48', figures: { merge: figure(5) } },
        { week: 'W47', figures: { first_review: figure(2) } },
        { week: 'W46', figures: {} },
      ].map(({ week: name, figures }, ago) => ({
        ...{ week: `2026-${name}`, from: new Date(monday - ago * week).toISOString() },
        ...{ leftOut: 0, figures },
      })),
    )
  })
  it('have the median from the first, and the 90th percentile from the tenth on', async () => {
    const of = (...hours: number[]) =>
      read(1, ...hours.map((each): [number, MergeRequestTimes] => [1, merged(monday, each)]))
    const figure = async (...hours: number[]) => (await of(...hours)).weeks[0]?.figures.merge
    expect(await figure(4, 1, 2)).toEqual({ count: 3, medianMs: 2 * hour, totalMs: 7 * hour })
    expect((await figure(1, 2, 3, 4, 5, 6, 7, 8, 9))?.p90Ms).toBeUndefined()
    expect(await figure(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)).toMatchObject({ medianMs: 5 * hour, p90Ms: 9 * hour })
  })
  it('leave out and count merge requests whose opening was not seen', async () => {
    const { weeks, projects } = await read(2, [1, unseen(monday)], [1, unseen(monday - hour)], [2, unseen(monday)])
    expect(weeks.map(({ leftOut, figures }) => [leftOut, figures])).toEqual([
      [2, {}],
      [1, {}],
    ])
    expect(projects.map(({ project, leftOut }) => [project, leftOut])).toEqual([
      [1, 2],
      [2, 1],
    ])
  })
  it('are of each project over all weeks and by week, the project with the most first', async () => {
    const { projects } = await read(3, [1, merged(monday, 1)], [2, merged(monday, 2)], [2, merged(monday - week, 4)])
    expect(
      projects.map(({ project, figures, weeks }) => [project, figures.merge?.count, weeks.map(({ week }) => week)]),
    ).toEqual([
      [2, 2, ['2026-W48', '2026-W47']],
      [1, 1, ['2026-W48']],
    ])
  })
  it('have what merged ones waited for', async () => {
    const waits = [
      { at: monday, for: 'review' as const },
      { at: monday + hour, for: 'queue' as const },
    ]
    const { weeks } = await read(1, [1, merged(monday, 3, { waits })])
    expect(weeks[0]?.figures).toMatchObject({
      waiting_review: { count: 1, totalMs: hour },
      waiting_queue: { count: 1, totalMs: 2 * hour },
    })
  })
  it('say that they are not complete where there are too many', async () => {
    const all = (count: number) =>
      Array.from({ length: count }, (): [number, MergeRequestTimes] => [1, merged(monday, 1)])
    expect(await read(1, ...all(MOST_READ))).toMatchObject({ complete: true })
    const { complete, weeks } = await read(1, ...all(MOST_READ + 1))
    expect([complete, weeks[0]?.figures.merge?.count]).toEqual([false, MOST_READ])
  })
})
