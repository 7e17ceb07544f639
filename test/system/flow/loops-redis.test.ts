// Rules that undo each other, in one Bellhop and in two: few calls, a pause that says why, and people are still heard.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLog } from '../../../src/cli/output/log.ts'
import { type Bellhop, startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import type { MergeRequestRef } from '../../../src/rules/types.ts'
import { journalSettings, ownDatabase } from '../../bot-journal.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { configOf } from '../config-of.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

/** Until a person says that it is calm. */
const calm = (branch: string) => `
  - name: ${branch} is calm
    if: { source_branch: ${branch}, labels: { any: [calm] } }
    then: { subscribe: true }`
const fights = (branch: string) => `
  - name: ${branch} puts x
    if: { source_branch: ${branch}, labels: { none: [x, calm] } }
    then: { label: { add: x } }${calm(branch)}
  - name: ${branch} takes x
    if: { source_branch: ${branch}, labels: { any: [x], none: [calm] } }
    then: { label: { remove: x } }`
/** What is to be so as long as the other holds nothing against it. */
const holds = (branch: string) => `
  - name: ${branch} holds ready
    if: { source_branch: ${branch}, labels: { none: [blocked, calm] } }
    then: { label: { while: ready } }${calm(branch)}`
const blocks = (branch: string) => `
  - name: ${branch} holds blocked
    if: { source_branch: ${branch}, labels: { any: [ready], none: [calm] } }
    then: { label: { while: blocked } }`
const bothWays = 'one-bellhop'
const heldByEach = 'two-that-hold'
// How often the breaker lets the same call be made within ten minutes.
const times = 5
const undone = `label was done ${times} times within ten minutes, and something undoes it each time: no rule acts until that stops`

onRedis((queueUrl) => {
  const { folder } = ownFolder()
  let world: TestWorld
  let other: Bellhop

  beforeAll(async () => {
    const rulesIn = async (name: string, rules: string) => {
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'fight.yml'), `version: 1\nrules:${rules}\n`)
      return join(folder, name)
    }
    world = await startTestWorld({
      rules: 'version: 1\nrules: []\n',
      settings: {
        BELLHOP_RULES: await rulesIn('own', `${fights(bothWays)}${holds(heldByEach)}`),
      },
      queueUrl: queueUrl(),
    })
    const otherQueue = await ownDatabase(queueUrl())
    const config = configOf({
      BELLHOP_SERVICE_URL: world.sandbox.url,
      BELLHOP_SERVICE_TOKEN: world.people.renovate.token,
      BELLHOP_HOOK_SECRET: world.hookSecret,
      BELLHOP_NEW_RULE_LIMIT: '0',
      BELLHOP_QUEUE_URL: otherQueue,
      BELLHOP_RULES: await rulesIn('others', blocks(heldByEach)),
      ...(await journalSettings(otherQueue)),
    })
    other = await startBellhop(config, {
      log: createLog({ level: 'debug', secrets: [], write: () => undefined }),
    })
    await world.service.projects.hooks.create({
      ...{ id: world.project, url: `${other.url}/hooks`, token: world.hookSecret },
      ...{ push_events: false, merge_requests_events: true, pipeline_events: false, note_events: false },
    })
  })
  afterAll(async () => {
    await world?.sandbox.idle()
    await other?.stop()
    await world?.end()
  })

  const taken = async () =>
    JSON.stringify(await Promise.all([world.bellhop, other].map(({ bot }) => bot.queues.deliveries.counts())))
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
    const { iid } = await world.openMergeRequest({ branch })
    await settle()
    return iid
  }
  const changes = (iid: number) =>
    world.sandbox
      .calls()
      .filter(
        ({ method, params, caller }) =>
          method !== 'GET' && params.merge_request_iid === iid && caller !== world.people.alice.id,
      )
  const newest = async ({ journal }: Bellhop, mergeRequest: MergeRequestRef) =>
    (await journal.decisions.list({ mergeRequest, limit: 1 })).items[0]
  const newestOfBoth = (iid: number) =>
    Promise.all([
      newest(world.bellhop, { project: world.project, iid }),
      newest(other, { project: world.project, iid }),
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
  const failedJobs = async () => {
    const counts = await Promise.all([world.bellhop, other].map(({ bot }) => bot.queues.mergeRequests.counts()))
    return counts.map(({ failed }) => failed)
  }

  async function calm(iid: number): Promise<void> {
    const before = changes(iid).length
    await world.as(world.people.alice).mergeRequests.update({ ...world.ref(iid), add_labels: 'calm' })
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
      expect(calls).toBe(2 * times)
      const [decision] = await newestOfBoth(iid)
      expect(decision).toMatchObject({ calls: [], paused: undone })
      // Evaluated again by itself, when the pause is over.
      expect(decision?.againInMs).toBeGreaterThan(60_000)
      expect(await failedJobs()).toEqual([0, 0])
      expect(await world.bellhop.bot.queues.mergeRequests.counts()).toMatchObject({ delayed: 1 })
      await calm(iid)
    })

    test('in two Bellhops that each hold a label against the other: so are those of both, and the one that was undone each time pauses', async () => {
      const iid = await open(heldByEach)
      const calls = labelChanges(iid)
      // With any labels, just one of them can act: they take turns until the first has added its label one last time.
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
  })
})
