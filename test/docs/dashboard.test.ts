// The commands of docs/dashboard.md, run word for word and in order on a running bot; 7, ID and times are replaced.
import type { DecisionRecord, DeliveryRecord, JournalPage } from '../../src/journal/types.ts'
import { bellhopHere } from '../cli/run-here.ts'
import { startTestWorld, type TestWorld } from '../system/world.ts'
import { fencedCommands, readPage } from './pages.ts'

const commands = fencedCommands(readPage('dashboard.md'))

let world: TestWorld
beforeAll(async () => {
  world = await startTestWorld({
    settings: { BELLHOP_BODY_RETENTION_HOURS: '2' },
    rules:
      'version: 1\nrules:\n  - name: merge when green\n    if: { state: opened }\n    then: { label: { add: green } }\n',
  })
  await world.openMergeRequest({ as: world.people.alice, branch: 'b', title: 'b', files: { 'b.md': 'b\n' } })
  await world.settle()
})
afterAll(() => world?.end())

async function newest<T>(what: string): Promise<T | undefined> {
  const headers = { authorization: `Bearer ${world.adminToken}` }
  const response = await fetch(`${world.bellhop.url}/admin/api/${what}`, { headers })
  return ((await response.json()) as JournalPage<T>).items[0]
}

/** Splits a command as a shell does. */
const wordsOf = (command: string) =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

test('every command of the page does what the page says', async () => {
  const delivery = await newest<DeliveryRecord>(`deliveries?project=${world.project}&kind=merge_request.open`)
  const decision = await newest<DecisionRecord>(`decisions?project=${world.project}&rule=merge%20when%20green`)
  const outputs = new Map<string, string>()
  for (const command of commands) {
    const [name, ...args] = wordsOf(command).map((word, at, all) => {
      if (word === 'ID') return (all[1] === 'decisions' ? decision?.id : delivery?.id) ?? ''
      return word === '7' && all[at - 1] === '--project' ? String(world.project) : word
    })
    expect(name).toBe('bellhop')
    const { code, out, err } = await bellhopHere(args, {
      BELLHOP_ADMIN_URL: world.bellhop.url,
      BELLHOP_ADMIN_TOKEN: world.adminToken,
    })
    expect([command, code, err]).toEqual([command, 0, expect.any(String)])
    outputs.set(command, out)
  }
  expect(outputs.size).toBe(19)
  const of = (beginning: string) =>
    [...outputs].filter(([command]) => command.startsWith(beginning)).map(([, out]) => out)
  expect(of('bellhop deliveries list')[0]).toContain(delivery?.id)
  expect(of('bellhop deliveries show')[0]).toContain('merge_request.open')
  expect(of('bellhop decisions list')[0]).toContain(decision?.id)
  expect(of('bellhop decisions replay')[0]).toContain('Nothing was sent.')
  expect(of('bellhop decisions show')[0]).toContain('merge when green')
  expect(of('bellhop queue pause')[0]).toBe(`hotel/app is paused.\n`)
  expect(of('bellhop queue allow')[0]).toBe(`The rules of hotel/app are new no longer. It is swept.\n`)
  expect(of('bellhop queue drain')[0]).toMatch(/^Nothing runs; waiting jobs: \d+\. Everything is paused/)
  expect(of('bellhop queue resume')[0]).toMatch(`hotel/app is resumed.`)
  await world.settle()
})

test('the body of a delivery is kept for the configured hours', async () => {
  const { journal } = world.bellhop
  const { id = '' } = (await newest<DeliveryRecord>('deliveries')) ?? {}
  const hour = 60 * 60_000
  await journal.prune(new Date(Date.now() + hour))
  expect(await journal.deliveries.body(id)).toBeDefined()
  await journal.prune(new Date(Date.now() + 2 * hour))
  expect([await journal.deliveries.body(id), await journal.deliveries.find(id)]).toEqual([
    undefined,
    expect.objectContaining({ id }),
  ])
})
