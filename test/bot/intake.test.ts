// Intake on a real queue and journal, with a hosting service that nock plays: mailboxes, who pushed, and what nobody cares about.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createIntake } from '../../src/bot/intake.ts'
import { keyOf } from '../../src/bot/merge-request-job.ts'
import type { DeliveryJob } from '../../src/bot/receive.ts'
import type { RuleFiles } from '../../src/bot/rule-files.ts'
import type { Mode } from '../../src/rules/types.ts'
import { makeClient, playService, service } from '../client/world.ts'
import { file as ruleFile } from '../rules/world.ts'
import { type Lanes, lanesOf, rulesOfVersion, silent, useStores } from './stores.ts'

const stores = useStores()
playService()

const AT = '2026-11-21T12:00:00.000Z'
const A = 'a'.repeat(40)
const B = 'b'.repeat(40)

const unchanged: RuleFiles = rulesOfVersion('')

function makeIntake(options: { ruleFiles?: RuleFiles } = {}) {
  const lanes = lanesOf(stores)
  const { client } = makeClient()
  const handle = createIntake({
    service: lanes.service,
    client,
    journal: stores.journal,
    mergeRequests: lanes.mergeRequests,
    ruleChanges: lanes.ruleChanges,
    ruleFiles: options.ruleFiles ?? unchanged,
    log: silent,
  })
  async function take(payload: unknown, id = `d-${randomUUID()}`, more: { boundTo?: number; unreadable?: string } = {}) {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const data: DeliveryJob = { is: 'delivery', service: lanes.service, receivedAt: AT, header: 'Some Hook', body, ...more }
    const outcome = await handle({ id, data, attempt: 1, addedAt: 0, claim: async () => false })
    return { id, outcome, record: await stores.journal.delivery(id) }
  }
  const again = (delivery: string) =>
    handle({ id: 'x', data: { is: 'again', delivery, why: 'replay' }, attempt: 1, addedAt: 0, claim: async () => false })
  return { ...lanes, take, again }
}

/** The merge requests that were woken. */
async function woken({ mergeRequests }: Lanes): Promise<number[]> {
  const jobs = await mergeRequests.list(['waiting', 'prioritized', 'delayed'], 0, 100)
  return jobs.map(({ data }) => data.iid).sort((a, b) => a - b)
}

const opened = { object_kind: 'merge_request', project: { id: 7 }, object_attributes: { iid: 2, action: 'open' } }
const green = { object_kind: 'pipeline', project: { id: 7 }, object_attributes: { id: 5, ref: 'feature', sha: A, status: 'success' } }
const pushed = { object_kind: 'push', project_id: 7, ref: 'refs/heads/feature', before: A, after: B, user_id: 3, user_username: 'ann' }

/** The same, as updated at a second. */
const at = (second: number) => ({
  ...opened,
  object_attributes: { ...opened.object_attributes, updated_at: `2026-11-21 12:00:${second} UTC` },
})

const listed = (...found: { iid?: number; sha?: string; source_branch?: string; state?: string; target_project_id?: number }[]) =>
  found.map((each) => ({ source_branch: 'feature', state: 'opened', ...each }))

describe('a delivery about one merge request', () => {
  test('is kept, put into its mailbox, and wakes it without a call', async () => {
    const intake = makeIntake()
    const { id, outcome, record } = await intake.take(opened)
    const mergeRequest = { service: intake.service, project: 7, iid: 2 }
    expect(outcome).toEqual({ outcome: 'done' })
    expect(record).toMatchObject({
      state: 'read',
      header: 'Some Hook',
      mergeRequests: [mergeRequest],
      event: { kind: 'merge_request.open' },
    })
    expect(await stores.journal.body(id)).toBe(JSON.stringify(opened))
    expect(await stores.journal.mailbox(mergeRequest)).toMatchObject([{ deliveryId: id, event: { kind: 'merge_request.open' } }])
    expect(await woken(intake)).toEqual([2])
  })

  test('taken again after a crash counts once', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(opened)
    await intake.take(opened, id)
    expect(await stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })).toHaveLength(1)
    expect(await woken(intake)).toEqual([2])
  })

  test('a storm of events wakes the merge request once and loses none of them', async () => {
    const intake = makeIntake()
    for (let n = 0; n < 20; n += 1) await intake.take(at(n))
    expect(await woken(intake)).toEqual([2])
    expect(await stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })).toHaveLength(20)
  })
})

describe('the same event by a group’s hook and a project’s hook', () => {
  const mailbox = (intake: Lanes) => stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })
  const emptied = async ({ mergeRequests }: Lanes) => {
    for (const { id } of await mergeRequests.list(['waiting', 'prioritized'], 0, 10)) await mergeRequests.remove(id)
  }

  test('counts once, and the second delivery is kept as read', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(at(1))
    expect((await intake.take(at(1))).record).toMatchObject({ state: 'read', mergeRequests: [{ iid: 2 }] })
    expect((await mailbox(intake)).map(({ deliveryId }) => deliveryId)).toEqual([id])
  })

  test('costs one evaluation when they come together, and counts once then too', async () => {
    const intake = makeIntake()
    await Promise.all(Array.from({ length: 5 }, () => intake.take(at(1))))
    expect(await mailbox(intake)).toHaveLength(1)
    expect((await intake.mergeRequests.list(['waiting', 'prioritized', 'delayed'], 0, 10)).length).toBe(1)
  })

  test('wakes again what was judged in between: approved, taken back and approved again may look alike to the second', async () => {
    const intake = makeIntake()
    const act = (action: string) => intake.take({ ...at(1), object_attributes: { ...at(1).object_attributes, action } })
    await act('approved')
    await act('unapproved')
    await emptied(intake)
    await act('approved')
    expect(await woken(intake)).toEqual([2])
  })

  test('counts once for as long as a delivery can be replayed, whichever of the two is read again', async () => {
    const intake = makeIntake()
    const first = await intake.take(at(1))
    const second = await intake.take(at(1))
    const ref = { service: intake.service, project: 7, iid: 2 }
    await stores.journal.removeMail(ref, (await mailbox(intake)).at(-1)?.seq ?? 0)
    await stores.journal.prune(new Date(Date.now() + 29 * 24 * 60 * 60_000))
    await intake.take(at(1), second.id)
    await intake.take(at(1), first.id)
    expect(await mailbox(intake)).toEqual([])
  })

  test('a delivery that is read once more after it had failed wakes its merge request', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(at(1))
    await emptied(intake)
    await intake.take(at(1), id)
    expect(await mailbox(intake)).toHaveLength(1)
    expect(await woken(intake)).toEqual([2])
  })

  test('of another time is another event', async () => {
    const intake = makeIntake()
    await intake.take(at(1))
    await intake.take(at(2))
    expect(await mailbox(intake)).toHaveLength(2)
  })
})

describe('a pipeline of a branch', () => {
  test('wakes the open merge requests whose head it is, even where the service ignores the filter', async () => {
    const intake = makeIntake()
    service()
      .get('/projects/7/merge_requests')
      .query(true)
      .reply(
        200,
        listed({ iid: 1, sha: A }, { iid: 2, sha: B }, { iid: 3, sha: A, source_branch: 'other' }, { iid: 4, sha: A, state: 'merged' }, {}),
      )
    expect((await intake.take(green)).record).toMatchObject({ state: 'read', mergeRequests: [{ iid: 1 }] })
    expect(await woken(intake)).toEqual([1])
  })

  test('of which there is no open merge request is of no interest', async () => {
    const intake = makeIntake()
    service().get('/projects/7/merge_requests').query(true).reply(200, [])
    expect((await intake.take(green)).record).toMatchObject({ state: 'uninteresting', reason: 'No open merge request is concerned.' })
    expect(await woken(intake)).toEqual([])
  })

  test('one of a merge request is remembered: its project has such pipelines', async () => {
    const intake = makeIntake()
    await intake.take({ ...green, project: { id: 99 }, merge_request: { iid: 2, target_project_id: 7 } })
    const mark = (project: number) => stores.journal.projectMark(intake.service, project, 'merge request pipelines')
    expect(await mark(7)).toBeDefined()
    expect(await mark(99)).toBeUndefined()
  })
})

describe('a push', () => {
  const project = () => service().get('/projects/7').reply(200, { id: 7, default_branch: 'main' })
  const branch = (intake: Lanes) => ({ service: intake.service, project: 7, branch: 'feature' })

  test('is remembered with who pushed, once, and wakes the branch’s merge requests', async () => {
    const intake = makeIntake()
    for (let n = 0; n < 2; n += 1) {
      project()
      service()
        .get('/projects/7/merge_requests')
        .query(true)
        .reply(200, listed({ iid: 1 }))
      await intake.take(pushed, `d-${intake.service}`)
    }
    expect(await stores.journal.pushes(branch(intake))).toEqual([{ from: A, to: B, by: { id: 3, username: 'ann' } }])
    expect(await woken(intake)).toEqual([1])
  })

  const toMain = { ...pushed, ref: 'refs/heads/main' }
  const inVersion = (version: string): RuleFiles => rulesOfVersion(version)

  test('to the default branch that changes the rules wakes all open merge requests, and only once', async () => {
    const intake = makeIntake({ ruleFiles: inVersion('main one') })
    for (const expected of [[8, 9], []]) {
      project()
      service()
        .get('/projects/7/merge_requests')
        .query((query) => query.source_branch === undefined)
        .reply(200, listed({ iid: 8 }, { iid: 9 }))
      service()
        .get('/projects/7/merge_requests')
        .query((query) => query.source_branch === 'main')
        .reply(200, [])
      await intake.take(toMain)
      expect(await woken(intake)).toEqual(expected)
      for (const { id } of await intake.mergeRequests.list(['waiting', 'prioritized'], 0, 10)) await intake.mergeRequests.remove(id)
    }
  })

  test('whose merge requests could not be listed is done again until they were', async () => {
    const intake = makeIntake({ ruleFiles: inVersion('main one') })
    project()
    service().get('/projects/7/merge_requests').query(true).times(4).reply(500)
    await expect(intake.take(toMain, `d-${intake.service}`)).rejects.toThrow()
    project()
    service()
      .get('/projects/7/merge_requests')
      .query((q) => q.source_branch === undefined)
      .reply(200, listed({ iid: 8 }))
    service()
      .get('/projects/7/merge_requests')
      .query((q) => q.source_branch === 'main')
      .reply(200, [])
    await intake.take(toMain, `d-${intake.service}`)
    expect(await woken(intake)).toEqual([8])
  })

  test('of a project without a rule file wakes nothing', async () => {
    const intake = makeIntake({ ruleFiles: inVersion('') })
    project()
    service()
      .get('/projects/7/merge_requests')
      .query((q) => q.source_branch === 'main')
      .reply(200, [])
    await intake.take(toMain)
    expect(await woken(intake)).toEqual([])
  })
})

describe('a delivery with the secret of one project', () => {
  const inFork = { ...green, project: { id: 99 }, merge_request: { iid: 2, target_project_id: 7 } }
  const fromFork = { ...opened, object_attributes: { ...opened.object_attributes, source_project_id: 99, target_project_id: 7 } }
  const note = { object_kind: 'note', object_attributes: { id: 1, noteable_type: 'MergeRequest', note: '@bellhop merge' } }

  test.each([
    ['a merge request of another', { ...opened, project: { id: 8 } }, 8],
    ['one that goes into another', { ...opened, object_attributes: { iid: 2, target_project_id: 8 } }, 8],
    ['a push to another', { ...pushed, project_id: 8 }, 8],
    ['a deleted branch of another', { ...pushed, project_id: 8, after: '0'.repeat(40) }, 8],
    ['a pipeline of another', { ...green, project: { id: 8 } }, 8],
    ['a pipeline for a merge request of another', { ...green, merge_request: { iid: 2, target_project_id: 8 } }, 8],
    ['a note on a merge request of another', { ...note, project: { id: 7 }, merge_request: { iid: 2, target_project_id: 8 } }, 8],
    ['an event of a kind that no rule is about, of another', { object_kind: 'moonrise', project: { id: 8 } }, 8],
  ])('is refused when it is about %s: nothing is called, woken or remembered', async (_name, payload, other) => {
    const intake = makeIntake()
    const { outcome, record } = await intake.take(payload, undefined, { boundTo: 7 })
    expect(outcome).toEqual({ outcome: 'done' })
    const reason = `It came with the secret of project 7, but is about project ${other}.`
    expect(record).toMatchObject({ state: 'refused', reason, boundTo: 7, mergeRequests: [] })
    expect(await woken(intake)).toEqual([])
    for (const project of [7, 8]) {
      expect(await stores.journal.mailbox({ service: intake.service, project, iid: 2 })).toEqual([])
      expect(await stores.journal.pushes({ service: intake.service, project, branch: 'feature' })).toEqual([])
      expect(await stores.journal.projectMark(intake.service, project, 'merge request pipelines')).toBeUndefined()
    }
  })

  test.each([
    ['a merge request of its own', opened, 7],
    ['a merge request that comes from a fork', fromFork, 7],
    ['a pipeline in a fork, sent by the project that it is for', inFork, 7],
  ])('is read when it is about %s', async (_name, payload, boundTo) => {
    const intake = makeIntake()
    expect((await intake.take(payload, undefined, { boundTo })).record).toMatchObject({ state: 'read', boundTo })
    expect(await woken(intake)).toEqual([2])
  })

  test('the hook of a fork has no say about the project that it was forked from', async () => {
    const intake = makeIntake()
    expect((await intake.take(inFork, undefined, { boundTo: 99 })).record).toMatchObject({ state: 'refused' })
    expect(await woken(intake)).toEqual([])
  })

  test('a refused one stays refused when it is replayed', async () => {
    const intake = makeIntake()
    const { id } = await intake.take({ ...opened, project: { id: 8 } }, undefined, { boundTo: 7 })
    expect(await intake.again(id)).toEqual({ outcome: 'done' })
    expect(await woken(intake)).toEqual([])
  })
})

describe('what cannot be read, or is nobody’s', () => {
  test('a body that could not be received is recorded with the reason', async () => {
    const { outcome, record } = await makeIntake().take('', undefined, { unreadable: 'The body unpacks to more than 25 MB.' })
    expect(outcome).toEqual({ outcome: 'done' })
    expect(record).toMatchObject({ state: 'unreadable', reason: 'The body unpacks to more than 25 MB.' })
  })

  test('a project that the bot may not see is of no interest, with the service’s words', async () => {
    const intake = makeIntake()
    service().get('/projects/7').reply(404, { message: '404 Project Not Found' })
    const { outcome, record } = await intake.take(pushed)
    expect(outcome).toEqual({ outcome: 'done' })
    expect(record).toMatchObject({ state: 'uninteresting', reason: expect.stringContaining('404 Project Not Found') })
  })

  test.each([
    ['no JSON', 'nonsense', 'unreadable'],
    ['no object', '[]', 'unreadable'],
    ['no kind', '{"a":1}', 'unreadable'],
    ['an unknown kind', '{"object_kind":"moonrise"}', 'uninteresting'],
    ['a branch that no request can name', JSON.stringify({ ...green, object_attributes: { ref: 'a\ud800' } }), 'uninteresting'],
  ])('%s is recorded with a reason, and the job is done', async (_name, body, state) => {
    const { outcome, record } = await makeIntake().take(body)
    expect(outcome).toEqual({ outcome: 'done' })
    expect(record).toMatchObject({ state, reason: expect.stringMatching(/\.$|not called/) })
  })

  test('a branch of any length is remembered', async () => {
    const intake = makeIntake()
    const name = 'x'.repeat(100_000)
    service().get('/projects/7').reply(200, { id: 7, default_branch: 'main' })
    service().get('/projects/7/merge_requests').query(true).reply(414)
    const { outcome } = await intake.take({ ...pushed, ref: `refs/heads/${name}` })
    expect(outcome).toEqual({ outcome: 'done' })
    expect(await stores.journal.pushes({ service: intake.service, project: 7, branch: name })).toHaveLength(1)
  })

  test('a service that is away is for the job to decide, and nothing is lost', async () => {
    const intake = makeIntake()
    service().get('/projects/7/merge_requests').query(true).times(4).reply(503)
    await expect(intake.take(green, 'away')).rejects.toMatchObject({ kind: 'failing', status: 503 })
    expect(await stores.journal.delivery('away')).toMatchObject({ state: 'received' })
  })
})

describe('once more', () => {
  test('a delivery that was read wakes its merge requests, without a new event', async () => {
    const intake = makeIntake()
    const { id } = await intake.take(opened)
    for (const job of await intake.mergeRequests.list(['waiting'], 0, 10)) await intake.mergeRequests.remove(job.id)
    expect(await intake.again(id)).toEqual({ outcome: 'done' })
    expect(await woken(intake)).toEqual([2])
    expect(await stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })).toHaveLength(1)
  })

  test('one that concerned nobody is read again when an admin replays it, by the present rules of reading, and its event counts once', async () => {
    const intake = makeIntake()
    service().get('/projects/7/merge_requests').query(true).reply(200, [])
    const { id, record } = await intake.take(green)
    expect(record).toMatchObject({ state: 'uninteresting' })
    // Opened since.
    service()
      .get('/projects/7/merge_requests')
      .query(true)
      .times(2)
      .reply(200, listed({ iid: 2, sha: A }))
    for (let times = 0; times < 2; times++) expect(await intake.again(id)).toEqual({ outcome: 'done' })
    expect(await woken(intake)).toEqual([2])
    const { reason: _reason, ...read } = record ?? expect.fail()
    expect(await stores.journal.delivery(id)).toEqual({ ...read, state: 'read', mergeRequests: [expect.objectContaining({ iid: 2 })] })
    expect(await stores.journal.mailbox({ service: intake.service, project: 7, iid: 2 })).toHaveLength(1)
  })

  test('an unknown delivery wakes nothing', async () => {
    const intake = makeIntake()
    expect(await intake.again('unknown')).toEqual({ outcome: 'done' })
    expect(await woken(intake)).toEqual([])
  })
})

test('the key of a merge request carries the service', () => {
  expect(keyOf({ service: 'a', project: 1, iid: 2 })).toBe('a/1!2')
  expect(keyOf({ service: 'a', project: 1, iid: 0 })).toBe('a/1')
})

describe('an event without a merge request', () => {
  const withRules = (text: string, mode: Mode = 'act') => {
    let asked = 0
    const none = rulesOfVersion('')
    const inForce = async (project: number) => {
      asked += 1
      const rules = await none.inForce(project)
      return { ...rules, files: [ruleFile(text)], policy: { ...rules.policy, mode } }
    }
    return { ruleFiles: { ...none, inForce }, asked: () => asked }
  }
  const tidy = 'rules:\n  - name: tidy\n    on: [tag_push, issue.*, merge_request.merge]\n    then: { housekeeping: true }\n'
  const tagged = { object_kind: 'tag_push', project_id: 7, ref: 'refs/tags/v1', before: '0'.repeat(40), after: A, user_id: 3 }
  const projectOf = ({ service }: Lanes) => ({ service, project: 7, iid: 0 })

  test('wakes the project where a rule acts on it, without a call', async () => {
    const intake = makeIntake({ ruleFiles: withRules(tidy).ruleFiles })
    const { id, record } = await intake.take(tagged)
    expect(record).toMatchObject({ state: 'read', mergeRequests: [projectOf(intake)] })
    expect(await stores.journal.mailbox(projectOf(intake))).toMatchObject([
      { deliveryId: id, event: { kind: 'tag_push', ref: 'v1', refChange: 'created', actor: { id: 3 } } },
    ])
    await intake.take({ object_kind: 'issue', project: { id: 7 }, object_attributes: { action: 'open', iid: 4 } })
    expect(await stores.journal.mailbox(projectOf(intake))).toHaveLength(2)
    expect(await woken(intake)).toEqual([0])
  })

  test('is of no interest where no rule acts on the project for it, or the project is turned off', async () => {
    const other =
      'rules:\n  - name: a\n    on: push\n    then: { star: true }\n  - name: b\n    on: note.create\n    then: { subscribe: true }\n'
    for (const { ruleFiles } of [withRules(other), withRules(tidy, 'off')]) {
      const intake = makeIntake({ ruleFiles })
      expect((await intake.take(tagged)).record).toMatchObject({
        state: 'uninteresting',
        reason: expect.stringContaining('no merge request'),
      })
      expect(await woken(intake)).toEqual([])
    }
  })

  test('of a kind that no rule can name asks for no rules', async () => {
    const { ruleFiles, asked } = withRules(tidy)
    await makeIntake({ ruleFiles }).take({ object_kind: 'build', project_id: 7 })
    expect(asked()).toBe(0)
  })

  test('and one of a merge request wake each whom a rule acts on', async () => {
    const welcome = '  - name: welcome\n    on: merge_request.open\n    then: { subscribe: true }\n'
    const intake = makeIntake({ ruleFiles: withRules(`${tidy}${welcome}`).ruleFiles })
    await intake.take({ ...opened, object_attributes: { iid: 2, action: 'merge' } })
    await intake.take(opened)
    expect(await woken(intake)).toEqual([0, 2])
    expect(await stores.journal.mailbox(projectOf(intake))).toHaveLength(1)
    const jobs = await intake.ruleChanges.list(['waiting', 'prioritized'], 0, 10)
    expect(jobs.map(({ data }) => data.iid)).toEqual([2])
  })
})

describe('a delivery that no rule can care about', () => {
  const ofRenovate = 'rules:\n  - name: of renovate\n    if: { source_branch: { glob: "renovate/**" } }\n    then: { approve: true }\n'
  const withRules = (text: string): RuleFiles => {
    const some = rulesOfVersion('')
    return { ...some, inForce: async (project) => ({ ...(await some.inForce(project)), files: [ruleFile(text)] }) }
  }
  const updated = (source_branch: unknown) => ({
    object_kind: 'merge_request',
    project: { id: 7 },
    object_attributes: { iid: 2, action: 'update', source_branch, source_project_id: 7, target_project_id: 7 },
  })
  const refOf = ({ service }: Lanes) => ({ service, project: 7, iid: 2 })

  test('wakes nobody, without a call, and says why', async () => {
    const intake = makeIntake({ ruleFiles: withRules(ofRenovate) })
    const { record } = await intake.take(updated('feature'))
    expect(record).toMatchObject({
      state: 'uninteresting',
      reason: expect.stringMatching(/^No rule can hold/),
      mergeRequests: [refOf(intake)],
    })
    const commented = {
      object_kind: 'note',
      project: { id: 7 },
      object_attributes: { id: 31, note: 'Nice', noteable_type: 'MergeRequest' },
    }
    await intake.take({ ...commented, merge_request: { iid: 2, source_branch: 'feature', target_project_id: 7 } })
    expect(await stores.journal.mailbox(refOf(intake))).toEqual([])
    expect(await woken(intake)).toEqual([])
  })

  test.each<[string, unknown, string]>([
    ['it comes from another branch', 'renovate/vitest', ofRenovate],
    ['it does not say from which branch it comes', undefined, ofRenovate],
    ['its branch is no text', { glob: 'feature' }, ofRenovate],
    ['an event rule is for it', 'feature', 'rules:\n  - name: a\n    on: merge_request.update\n    then: { subscribe: true }\n'],
    [
      'a rule asks for what can change',
      'feature',
      'rules:\n  - name: a\n    if: { not: { labels: { any: [hold] } } }\n    then: { subscribe: true }\n',
    ],
    [
      'a rule may hold at another time',
      'feature',
      'rules:\n  - name: a\n    if: { clock: { days: [mon] } }\n    then: { subscribe: true }\n',
    ],
  ])('but is passed on where %s', async (_name, branch, text) => {
    const intake = makeIntake({ ruleFiles: withRules(text) })
    await intake.take(updated(branch))
    expect(await woken(intake)).toEqual([2])
  })

  test('but is passed on where something may have to be taken back, and where the service itself has said otherwise', async () => {
    const at = new Date(Date.parse(AT) - 60_000).toISOString()
    const said = { rules: {}, pushes: [], stable: { at, facts: { source_branch: 'renovate/vitest' } } }
    for (const memory of [{ rules: {}, pushes: [], approvedSha: A }, said]) {
      const intake = makeIntake({ ruleFiles: withRules(ofRenovate) })
      await stores.journal.saveMemory(refOf(intake), memory)
      await intake.take(updated('feature'))
      expect(await woken(intake)).toEqual([2])
    }
  })

  test('is judged again when an admin replays it after the rules changed', async () => {
    let text = ofRenovate
    const some = rulesOfVersion('')
    const intake = makeIntake({ ruleFiles: { ...some, inForce: async (project) => withRules(text).inForce(project) } })
    const { id } = await intake.take(updated('feature'))
    text = ofRenovate.replace('renovate/**', '**')
    await intake.again(id)
    expect(await woken(intake)).toEqual([2])
    expect(await stores.journal.mailbox(refOf(intake))).toMatchObject([
      { event: { kind: 'merge_request.update', stable: { source_branch: 'feature', from_fork: false } } },
    ])
  })
})
