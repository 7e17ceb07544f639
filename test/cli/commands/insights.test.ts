// `bellhop insights` against the real admin API, on given times.
import type { Journal } from '../../../src/journal/journal.ts'
import type { MergeRequestTimes } from '../../../src/rules/explain/time-figures.ts'
import { refuses } from '../run-here.ts'
import { useRunningBot } from '../running-bot.ts'

const now = Date.parse('2026-11-25T12:00:00.000Z')
const hour = 3_600_000
const times: MergeRequestTimes = {
  ...{ opened: { at: now - 5 * hour, by: 'alice' }, reviews: [], approvals: [], merged: now - hour },
  waits: [{ at: now - 3 * hour, for: 'pipeline' }],
}
const bot = useRunningBot(
  () => {
    const journal = {
      mergeRequests: {
        names: async (refs: object[]) => refs.map(() => ({ path: '=hotel/\u001b[2Japp' })),
        times: async ({ project = 7 }) => (project === 7 ? [{ mergeRequest: { project: 7, iid: 1 }, times }] : []),
      },
      projects: { at: async (path: string) => (path === 'hotel/bare' ? 8 : undefined) },
    }
    return { journal: journal as unknown as Journal }
  },
  { now: () => now },
)

const insights = (...args: string[]) => bot.run('insights', ...args)

test('prints a table of the weeks and one of the projects, with the figures that there are', async () => {
  const { code, out } = await insights('--weeks', '2')
  expect(code).toBe(0)
  const cells = out.split('\n').map((line) =>
    line
      .split(/[│|]/)
      .map((cell) => cell.trim())
      .filter((cell) => cell !== ''),
  )
  expect(cells).toContainEqual(['week', 'merge', 'waiting pipeline', 'left out'])
  expect(cells).toContainEqual(['2026-W48', '4h (1)', '2h (1)', '0'])
  expect(cells).toContainEqual(['2026-W47', '0'])
  expect(cells).toContainEqual(['=hotel/ [2Japp', '4h (1)', '2h (1)', '0'])
})

test('prints JSON, and CSV as the admin API has it, without control characters', async () => {
  expect(JSON.parse((await insights('--format', 'json', '--weeks', '1')).out)).toMatchObject({
    weeks: [{ week: '2026-W48', figures: { merge: { count: 1, medianMs: 4 * hour } } }],
  })
  const { out } = await insights('--format', 'csv')
  expect(out.split('\n')).toEqual([
    'project_id,project,week,figure,count,median_seconds,p90_seconds,total_seconds',
    "7,'=hotel/ [2Japp,2026-W48,merge,1,14400,,14400",
    "7,'=hotel/ [2Japp,2026-W48,waiting_pipeline,1,7200,,7200",
    '',
  ])
})

test('is about one project where that is named; what is wrong is a usage error', async () => {
  expect((await insights('--project', 'hotel/bare')).out).not.toContain('4h')
  expect(await insights('--weeks', '14')).toEqual(refuses(2, 'weeks'))
  expect(await insights('--project', 'hotel/none', '--format', 'csv')).toMatchObject({ code: 2 })
})
