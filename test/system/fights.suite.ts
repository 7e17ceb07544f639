// Rules that undo each other, in one Bellhop and in two: a bounded number of calls, a pause that says why, and people are still heard. Run on each queue by the files beside it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/cli/config.ts'
import { createLog } from '../../src/cli/log.ts'
import { type Bellhop, startBellhop } from '../../src/cli/start-bellhop.ts'
import type { DecisionRecord } from '../../src/journal/types.ts'
import type { MergeRequestRef } from '../../src/rules/types.ts'
import { prepareDatabase } from '../prepared-database.ts'
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
/** What is to be so as long as the other holds nothing against it. */
const holds = (branch: string) => `
  - name: ${branch} holds ready
    if: { source_branch: ${branch}, labels: { none: [blocked, calm] } }
    then: { label: { while: ready } }
  - name: ${branch} is calm
    if: { source_branch: ${branch}, labels: { any: [calm] } }
    then: { subscribe: true }`
const blocks = (branch: string) => `
  - name: ${branch} holds blocked
    if: { source_branch: ${branch}, labels: { any: [ready], none: [calm] } }
    then: { label: { while: blocked } }`
const bothWays = 'one-bellhop'
const oneWayEach = 'two-bellhops'
const heldByEach = 'two-that-hold'
// How often the breaker lets the same call be made within ten minutes.
const times = 5
const undone = `label was done ${times} times within ten minutes, and something undoes it each time: no rule acts until that rests`

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
      settings: { BELLHOP_RULES: await rulesIn('own', `${puts(bothWays)}${takes(bothWays)}${puts(oneWayEach)}${holds(heldByEach)}`) },
      ...(url === undefined ? {} : { queueUrl: url }),
    })
    const config = readConfig(
      {
        ...{ BELLHOP_SERVICE_URL: world.sandbox.url, BELLHOP_SERVICE_TOKEN: world.people.renovate.token, BELLHOP_SERVICE_NAME: otherName },
        ...{ BELLHOP_HOOK_SECRET: world.hookSecret, BELLHOP_PORT: '0', BELLHOP_BRAKE: '0' },
        ...{
          BELLHOP_QUEUE_URL: url ?? `embedded:${await prepareDatabase(join(folder, 'queue'))}`,
          BELLHOP_RULES: await rulesIn('others', `${takes(oneWayEach)}${blocks(heldByEach)}`),
        },
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
  const newestOfBoth = (iid: number) =>
    Promise.all([
      newest(world.bellhop, { service: world.serviceName, project: world.project, iid }),
      newest(other, { service: otherName, project: world.project, iid }),
    ])
  /** Who changed which label, in the order of the calls. */
  const labelChanges = (iid: number) =>
    changes(iid).map(({ caller, params }) => [
      caller,
      [
        ...(params.add_labels === undefined ? [] : [`+${params.add_labels}`]),
        ...(params.remove_labels === undefined ? [] : [`-${params.remove_labels}`]),
      ].join(),
    ])
  const ofOneWay = (decision: DecisionRecord | undefined) =>
    decision?.rules.find(({ name }) => name === `${oneWayEach} puts x` || name === `${oneWayEach} takes x`)
  /** The decisions that sent a call of a rule which had been true before. */
  async function callsOfRulesThatStayedTrue(iid: number): Promise<DecisionRecord[]> {
    const both = [
      { of: world.bellhop, service: world.serviceName },
      { of: other, service: otherName },
    ]
    const all = await Promise.all(
      both.map(({ of, service }) => of.journal.decisions({ mergeRequest: { service, project: world.project, iid }, limit: 200 })),
    )
    return all.flatMap(({ items }) => items.filter((each) => each.calls.length > 0 && ofOneWay(each)?.became !== true))
  }
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
    expect((await newestOfBoth(iid)).map((each) => each?.paused)).toEqual([undefined, undefined])
  }

  describe.sequential('rules that undo each other', () => {
    test('in one Bellhop: its calls are bounded, the pause says why, no job has failed, and a person ends the fight', async () => {
      const iid = await open(bothWays)
      const calls = changes(iid).length
      tell('two rules of one Bellhop', calls)
      expect(calls).toBe(2 * times)
      const [decision] = await newestOfBoth(iid)
      expect(decision).toMatchObject({ calls: [], paused: undone })
      // Judged again by itself, when the pause is over.
      expect(decision?.againInMs).toBeGreaterThan(60_000)
      expect(await failedJobs()).toEqual([0, 0])
      expect(await world.bellhop.bot.lanes.mergeRequests.counts()).toMatchObject({ delayed: 1 })
      await calm(iid)
    })

    test('in two Bellhops that each hold a label against the other: so are those of both, and the one that was undone each time pauses', async () => {
      const iid = await open(heldByEach)
      const calls = labelChanges(iid)
      tell('two Bellhops that hold labels', calls.length)
      // Whatever the labels are, one of them alone has something to do: so they take turns, until the first has put its label on for the last time.
      const turn = [
        [world.people.bellhop.id, '+ready'],
        [world.people.renovate.id, '+blocked'],
        [world.people.bellhop.id, '-ready'],
        [world.people.renovate.id, '-blocked'],
      ]
      expect(calls).toEqual(Array.from({ length: times }, () => turn).flat())
      const [own, others] = await newestOfBoth(iid)
      expect(own).toMatchObject({ calls: [], paused: undone })
      expect(own?.againInMs).toBeGreaterThan(60_000)
      expect(others?.calls).toEqual([])
      expect(others?.paused).toBeUndefined()
      expect(await failedJobs()).toEqual([0, 0])
      await calm(iid)
    })

    test('in two Bellhops that each act once per becoming true: the one rests when it saw no change in between, or pauses at the same bound', async () => {
      const iid = await open(oneWayEach)
      const calls = labelChanges(iid)
      tell('two Bellhops that act once', calls.length)
      const turn = [
        [world.people.bellhop.id, '+x'],
        [world.people.renovate.id, '-x'],
      ]
      const turns = Array.from({ length: times }, () => turn).flat()
      expect(calls.length).toBeGreaterThanOrEqual(2)
      expect(calls).toEqual(turns.slice(0, calls.length))
      expect(await callsOfRulesThatStayedTrue(iid)).toEqual([])
      const newest = await newestOfBoth(iid)
      expect(newest.map((each) => each?.calls)).toEqual([[], []])
      // Of the two rules one holds, as the label is now; it acted when it became true, and not again, for it never read that it was false in between.
      const { labels = [] } = await world.mergeRequest(iid)
      const [holding, resting] = labels.includes('x') ? newest.toReversed() : newest
      const isSpent = calls.length === turns.length
      expect(calls.length % 2).toBe(labels.includes('x') ? 1 : 0)
      expect(holding?.paused).toBe(isSpent ? undone : undefined)
      expect(ofOneWay(holding)).toMatchObject({
        verdict: 'true',
        actions: [{ action: 'label', result: isSpent ? 'held back' : 'done before' }],
      })
      expect(ofOneWay(resting)).toMatchObject({ verdict: 'false', actions: [] })
      expect(resting?.paused).toBeUndefined()
      expect(await failedJobs()).toEqual([0, 0])
      await calm(iid)
    })
  })
}
