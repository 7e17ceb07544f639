// Rules that undo each other, in one Bellhop and in two: a bounded number of calls, a pause that says why, and people are still heard. Run on each queue by the files beside it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/cli/config.ts'
import { createLog } from '../../src/cli/log.ts'
import { type Bellhop, startBellhop } from '../../src/cli/start-bellhop.ts'
import type { MergeRequestRef } from '../../src/rules/types.ts'
import { startTestWorld, type TestWorld } from './world.ts'

/** Until a person says that it is calm: then the one subscribes. */
const puts = (branch: string) => `
  - name: ${branch} puts x
    if: { source_branch: ${branch}, labels: { none: [x, calm] } }
    then: { label: { add: x } }
  - name: ${branch} is calm
    if: { source_branch: ${branch}, labels: { any: [calm] } }
    then: { subscribe: true }`
const takes = (branch: string) => `
  - name: ${branch} takes x
    if: { source_branch: ${branch}, labels: { any: [x], none: [calm] } }
    then: { label: { remove: x } }`
const bothWays = 'one-bellhop'
const oneWayEach = 'two-bellhops'
// What the breaker lets each of two calls be made within ten minutes.
const mostCalls = 10

/** `queueUrl` is asked when the suite starts; undefined is the embedded queue. */
export function fightsSuite(queueUrl: () => string | undefined): void {
  let folder: string
  let world: TestWorld
  let other: Bellhop
  const otherName = 'the-other'

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellhop-fights-'))
    const rulesIn = async (name: string, rules: string) => {
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'fight.yml'), `version: 1\nrules:${rules}\n`)
      return join(folder, name)
    }
    const url = queueUrl()
    world = await startTestWorld({
      rules: 'version: 1\nrules: []\n',
      settings: { BELLHOP_RULES: await rulesIn('own', `${puts(bothWays)}${takes(bothWays)}${puts(oneWayEach)}`) },
      ...(url === undefined ? {} : { queueUrl: url }),
    })
    const config = readConfig(
      {
        ...{ BELLHOP_SERVICE_URL: world.sandbox.url, BELLHOP_SERVICE_TOKEN: world.people.renovate.token, BELLHOP_SERVICE_NAME: otherName },
        ...{ BELLHOP_HOOK_SECRET: world.hookSecret, BELLHOP_PORT: '0', BELLHOP_BRAKE: '0' },
        ...{ BELLHOP_QUEUE_URL: url ?? `embedded:${join(folder, 'queue')}`, BELLHOP_RULES: await rulesIn('others', takes(oneWayEach)) },
      },
      {},
    )
    if (!config.ok) throw new Error(config.problems.join('\n'))
    other = await startBellhop(config.config, { log: createLog({ level: 'debug', secrets: [], write: () => undefined }) })
    await world.service.projects.hooks.create({
      ...{ id: world.project, url: `${other.url}/hooks`, token: world.hookSecret },
      ...{ push_events: false, merge_requests_events: true, pipeline_events: false, note_events: false },
    })
  })
  afterAll(async () => {
    await world?.sandbox.idle()
    await other?.stop()
    await world?.end()
    await rm(folder, { recursive: true, force: true })
  })

  const taken = async () => JSON.stringify(await Promise.all([world.bellhop, other].map(({ bot }) => bot.lanes.deliveries.counts())))
  /** When a whole turn brought neither of them a new delivery. */
  async function settle(): Promise<void> {
    let before: string
    do {
      before = await taken()
      await world.settle()
      await other.bot.settled()
      await world.sandbox.idle()
    } while ((await taken()) !== before)
  }
  const open = async (branch: string) => {
    const { iid } = await world.openMergeRequest({ as: world.people.alice, branch, title: branch, files: { [`${branch}.md`]: 'x\n' } })
    await settle()
    return iid
  }
  const changes = (iid: number) =>
    world.sandbox
      .calls()
      .filter(({ method, params, caller }) => method !== 'GET' && params.merge_request_iid === iid && caller !== world.people.alice.id)
  const tell = (what: string, calls: number) =>
    process.stdout.write(`${queueUrl() === undefined ? 'embedded' : 'Redis'}: ${what}: ${calls} calls, then quiet\n`)
  const newest = async ({ journal }: Bellhop, mergeRequest: MergeRequestRef) =>
    (await journal.decisions({ mergeRequest, limit: 1 })).items[0]
  const failedJobs = async () => {
    const counts = await Promise.all([world.bellhop, other].map(({ bot }) => bot.lanes.mergeRequests.counts()))
    return counts.map(({ failed }) => failed)
  }

  async function calm(iid: number): Promise<void> {
    const before = changes(iid).length
    await world.as(world.people.alice).mergeRequests.update({ id: world.project, merge_request_iid: iid, add_labels: 'calm' })
    await settle()
    expect(
      changes(iid)
        .slice(before)
        .map(({ endpoint }) => endpoint),
    ).toEqual(['mergeRequests.subscribe'])
    const decision = await newest(world.bellhop, { service: world.serviceName, project: world.project, iid })
    expect(decision?.paused).toBeUndefined()
  }

  describe.sequential('rules that undo each other', () => {
    test('in one Bellhop: its calls are bounded, the pause says why, no job has failed, and a person ends the fight', async () => {
      const iid = await open(bothWays)
      const calls = changes(iid).length
      tell('two rules of one Bellhop', calls)
      expect(calls).toBeGreaterThan(2)
      expect(calls).toBeLessThanOrEqual(mostCalls)
      const decision = await newest(world.bellhop, { service: world.serviceName, project: world.project, iid })
      expect(decision).toMatchObject({ calls: [], paused: expect.stringMatching(/something undoes it each time/) })
      // Judged again by itself, when the pause is over.
      expect(decision?.againInMs).toBeGreaterThan(60_000)
      expect(await failedJobs()).toEqual([0, 0])
      expect(await world.bellhop.bot.lanes.mergeRequests.counts()).toMatchObject({ delayed: 1 })
      await calm(iid)
    })

    test('in two Bellhops of different users: so are those of both', async () => {
      const iid = await open(oneWayEach)
      const calls = changes(iid)
      tell('two Bellhops', calls.length)
      expect(new Set(calls.map(({ caller }) => caller)).size).toBe(2)
      expect(calls.length).toBeLessThanOrEqual(mostCalls)
      const decisions = [
        await newest(world.bellhop, { service: world.serviceName, project: world.project, iid }),
        await newest(other, { service: otherName, project: world.project, iid }),
      ]
      expect(decisions.map((each) => each?.calls)).toEqual([[], []])
      // Whoever reads only after the other has undone it takes that for a person's wish, and rests at once: then no pause is needed.
      const pauses = decisions.filter((each) => /something undoes it/.test(each?.paused ?? '')).length
      expect(pauses >= 1 || calls.length < mostCalls).toBe(true)
      expect(await failedJobs()).toEqual([0, 0])
      await calm(iid)
    })
  })
}
