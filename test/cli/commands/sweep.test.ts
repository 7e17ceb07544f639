// `bellhop sweep` against the real admin API; the bot's progress is simulated.
import { randomUUID } from 'node:crypto'
import type { Journal } from '../../../src/journal/journal.ts'
import type { SweepRecord, SweptProject } from '../../../src/journal/types.ts'
import { prints, refuses } from '../run-here.ts'
import { useRunningBot } from '../running-bot.ts'

const fine: SweptProject = {
  ...{ project: 7, path: 'hotel/app', looked: 3, enqueued: [{ iid: 2, why: 'requested' }], left: false },
}
const named = { title: 'Bump left-pad', url: 'https://git.example.com/hotel/app/-/merge_requests/2' }
const none = { looked: 0, enqueued: [], left: false }
const bare: SweptProject = { ...none, project: 8, path: 'hotel/bare', skipped: 'no rules are in force' }
const shut: SweptProject = { ...none, project: 9, path: 'hotel/\u001b[2Jshut', failed: '403 Forbidden' }

/** The states of each sweep: each request gets the next one. */
const courses: Record<string, Partial<SweepRecord>[]> = {
  'hotel/app': [
    { state: 'running', projectsInAll: 1 },
    { state: 'done', projectsInAll: 1, projects: [fine], calls: 4 },
  ],
  hotel: [
    { state: 'running', reason: '429: slow down' },
    { state: 'done', projects: [fine, bare], calls: 9 },
  ],
  shut: [{ state: 'done', projects: [shut, fine] }],
  half: [{ state: 'done', projects: [{ ...fine, left: true }] }],
  huge: [{ state: 'done', projects: [fine], notAllFound: true }],
  issues: [{ state: 'done', projects: [{ ...fine, looked: 4, enqueued: [{ iid: -5, why: 'requested' }] }] }],
  nobody: [{ state: 'failed', reason: 'There is no project and no group nobody that Bellhop’s user can see.' }],
}

const bot = useRunningBot(() => {
  const records = new Map<string, SweepRecord>()
  const steps = new Map<string, Partial<SweepRecord>[]>()
  const sweep = async (of: string, dryRun: boolean) => {
    const record: SweepRecord = {
      ...{ id: randomUUID(), of, dryRun, state: 'waiting', askedAt: '2026-11-21T10:00:00.000Z' },
      ...{ projects: [], calls: 0 },
    }
    records.set(record.id, record)
    steps.set(record.id, [...(courses[of] ?? [])])
    return record
  }
  const journal: Pick<Journal, 'mergeRequests' | 'audit' | 'marks'> = {
    mergeRequests: {
      names: async (refs) => refs.map(({ iid }) => (iid === undefined ? {} : named)),
    } as Journal['mergeRequests'],
    audit: { save: async () => undefined } as unknown as Journal['audit'],
    marks: {
      read: async (_project, mark) => {
        const id = mark.replace('sweep ', '')
        const record = { ...records.get(id), ...steps.get(id)?.shift() } as SweepRecord
        records.set(id, record)
        return record
      },
    } as Journal['marks'],
  }
  return { journal: journal as Journal, sweep }
})

const run = (...args: string[]) => bot.run('sweep', ...args)

test('waits for the end and lists what was enqueued', async () => {
  const lines = [
    'hotel/app: 3 read, 1 enqueued',
    '  hotel/app!2 · Bump left-pad  https://git.example.com/hotel/app/-/merge_requests/2',
    '1 project, 3 read, 1 enqueued, 4 API calls\n',
  ]
  expect(await bot.run('sweep', 'hotel/app')).toEqual(prints(lines.join('\n')))
})

test('prints why it waits, and what it skipped', async () => {
  const { code, out, err } = await run('hotel', '--dry-run')
  expect([code, err]).toEqual([0, 'bellhop: waiting: 429: slow down\n'])
  expect(out).toContain(
    'hotel/app: 3 read, 1 to be enqueued\n  hotel/app!2 · Bump left-pad  https://git.example.com/hotel/app/-/merge_requests/2\nhotel/bare: skipped: no rules are in force\n2 projects',
  )
})

test('names an issue as one, and counts it with the others', async () => {
  const { out } = await run('issues')
  expect(out).toContain('hotel/app: 4 read, 1 enqueued\n  hotel/app#5 · ')
  expect(out).toContain('\n1 project, 4 read, 1 enqueued, ')
})

test('prints the record as JSON', async () => {
  const { code, out } = await run('hotel/app', '--format', 'json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ of: 'hotel/app', dryRun: false, state: 'done', projects: [fine] })
})

test('exits 1 for an unreadable project and an incomplete sweep', async () => {
  const unreadable = await run('shut')
  expect(unreadable).toMatchObject({ code: 1, out: expect.stringContaining('failed: 403 Forbidden\nhotel/app') })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what steers a terminal must not be there
  expect(unreadable.out).not.toMatch(/\u001b/)
  expect(await run('huge')).toMatchObject({ code: 1, out: expect.stringContaining('not all projects were found') })
  expect(await run('half')).toMatchObject({ code: 1, out: expect.stringContaining('incomplete: sweep it again') })
})

test('exits 1 with one line for an unknown name, and 2 without a name', async () => {
  expect(await run('nobody')).toEqual(refuses(1, /^bellhop: There is no project and no group nobody .*\n$/))
  expect((await run()).code).toBe(2)
  expect(await run('hotel', '--token', 'wrong')).toEqual(refuses(1, 'BELLHOP_ADMIN_TOKEN'))
})
