// `--service NAME` of the admin commands, for a bot with several hosting services.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PausedProject } from '../../../src/journal/types.ts'
import { type ServedAdmin, TOKEN } from '../../admin/serve-admin.ts'
import { serveTwoServices } from '../../admin/two-services.ts'
import { useStores } from '../../bot/stores.ts'
import { bellhopHere } from '../run-here.ts'

const stores = useStores({ own: true })
const paused = { one: [] as PausedProject[], two: [] as PausedProject[] }
const pausing = (of: keyof typeof paused) => ({
  list: async () => paused[of],
  pause: async (each: PausedProject) => void paused[of].push(each),
  resume: async () => 0,
})
let admin: ServedAdmin
beforeAll(async () => {
  admin = await serveTwoServices(stores.journal, { one: { paused: pausing('one') }, two: { paused: pausing('two') } })
})
afterAll(() => {
  admin.server.close()
})

const run = (...args: string[]) => bellhopHere(args, { BELLHOP_ADMIN_URL: admin.url, BELLHOP_ADMIN_TOKEN: TOKEN })

test.each([
  ...['deliveries list', 'deliveries show d', 'deliveries replay d', 'deliveries replay --project 7'],
  ...['decisions list', 'decisions show d', 'decisions replay d', 'decisions replay d --apply'],
  ...['queue status', 'queue jobs sweeps', 'queue pause', 'queue resume', 'queue drain'],
  ...['queue retry sweeps --all', 'queue promote sweeps j', 'queue discard sweeps j', 'sweep hotel'],
])('%s needs the name of a known service', async (command) => {
  const line = (problem: string) => ({
    ...{ code: 2, out: '' },
    err: expect.stringMatching(
      new RegExp(
        `^bellhop: ${problem}Name one of the hosting services \\(service, or --service in a command\\): one, two\\.\\n$`,
      ),
    ),
  })
  expect(await run(...command.split(' '))).toEqual(line(''))
  expect(await run(...command.split(' '), '--service', 'three')).toEqual(line('There is no service "three"\\. '))
})

test('--service chooses the service to read and to change', async () => {
  const listed = await run('deliveries', 'list', '--service', 'two', '--format', 'json')
  expect(JSON.parse(listed.out)).toMatchObject({ items: [{ id: 'of-two' }] })
  expect(await run('queue', 'pause', '--project', '7', '--service', 'two')).toMatchObject({ code: 0, err: '' })
  expect([paused.one, paused.two]).toEqual([[], [expect.objectContaining({ project: 7 })]])
})
