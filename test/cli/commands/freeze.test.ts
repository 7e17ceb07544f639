// `bellhop freeze` against the real admin API: it always has an end, or ends one; and the audit log has it.
import type { Freeze } from '../../../src/rules/language/values/freezes.ts'
import { useStores } from '../../bot/stores.ts'
import { nameHotelApp } from '../hotel-app.ts'
import { prints, refuses } from '../run-here.ts'
import { useRunningBot } from '../running-bot.ts'

const stores = useStores({ own: true })
const now = Date.parse('2026-11-30T22:30:00Z')
let last: Freeze | undefined
const freezes = {
  last: async () => last,
  async change(_: number, freeze: Freeze) {
    last = freeze
  },
}
const bot = useRunningBot(() => ({ journal: stores.journal, freezes, now: () => now }))
const freeze = (...args: string[]) => bot.run('freeze', 'hotel/app', ...args)

beforeAll(() => nameHotelApp(stores.journal))

test('it freezes the project with a reason and exceptions, and ends that', async () => {
  const began = await freeze('--until', '2026-12-01T09:00', '--reason', 'the release', '--except', 'hotfix')
  expect(began).toEqual(prints('hotel/app: It is frozen until Tue 01 Dec 09:00 UTC (the release).\n'))
  const at = new Date(now).toISOString()
  const frozen = { until: '2026-12-01T09:00:00.000Z', reason: 'the release', except: ['hotfix'] }
  expect(last).toEqual({ ...frozen, by: 'admin', at })
  expect(await freeze('--end', '--reason', 'it is out')).toEqual(prints('hotel/app: The freeze is over.\n'))
  expect(last).toEqual({ until: at, except: [], by: 'admin', at })
  const audited = (await stores.journal.audit.list({ limit: 9 })).items
  expect(audited.map(({ operation, why, status }) => [operation, why, status]).sort()).toEqual([
    ['end_freeze', 'it is out', 202],
    ['freeze', undefined, 202],
  ])
})

test('it replaces one that somebody began by a clock that is ahead', async () => {
  const at = '2026-11-30T22:40:00.000Z'
  last = { until: '2026-12-01T09:00:00.000Z', except: [], by: 'alice', at }
  await freeze('--end')
  expect(last).toEqual({ until: new Date(now).toISOString(), except: [], by: 'admin', at })
})

test.each([
  [[], /^bellhop: --until is missing: a freeze must end after now and within a year: .*\n$/],
  [['--end', '--until', '2h'], /^bellhop: --end and --until exclude each other\.\n$/],
  [
    ['--until', 'monday'],
    /^bellhop: until: a freeze must end after now and within a year: give a time such as 2h, 3d or .*\n$/,
  ],
])('%j is refused in one line', async (args, line) => {
  last = undefined
  expect(await freeze(...args)).toEqual(refuses(2, line))
  expect(last).toBeUndefined()
})
