// Intake of pipelines and pushes: the merge requests of a branch, who pushed, and rules that changed.
import type { BotQueues } from '../../../src/bot/queues.ts'
import type { RuleFiles } from '../../../src/bot/rule-files/rules-in-force.ts'
import { playService, service } from '../../client/world.ts'
import { file as ruleFile } from '../../rules/world.ts'
import { servesList } from '../service-answers.ts'
import { rulesOfVersion, useStores } from '../stores.ts'
import { A, B, enqueued, green, intakesOn, pushed } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)
/** The service lists these as open, once. */
const lists = (...found: { iid: number }[]) => servesList('/projects/7/merge_requests', found)
/** In every project. */
const aboutPipelines = (condition = '{ pipeline: success }') =>
  rulesOfVersion('', { files: [ruleFile(`rules:\n  - { name: a, if: ${condition}, then: { subscribe: true } }\n`)] })

describe('a branch with a name of merge queues', () => {
  const branch = 'bellhop/queue/main/1'
  const ended = { ...green, object_attributes: { ...green.object_attributes, ref: branch } }
  const queuesOf = async ({ mergeQueues }: BotQueues) =>
    (await mergeQueues.list(['waiting', 'delayed'], 0, 9)).map(({ data }) => data.target)

  test('wakes the queues of its project at the end of its pipeline, and asks the service for nothing', async () => {
    const intake = makeIntake()
    const entry = { iid: 1, queue: 'main', head: A, since: 1, priority: 0, frozen: false }
    for (const project of [7, 8])
      await stores.journal.mergeQueues.saveEntry({ project, iid: 1 }, { ...entry, target: `main-${project}` })
    const running = { ...ended, object_attributes: { ...ended.object_attributes, status: 'running' } }
    await intake.take(running)
    await intake.take({ ...pushed, ref: `refs/heads/${branch}` })
    expect(await queuesOf(intake)).toEqual([])
    expect((await intake.take(ended)).record).toMatchObject({ state: 'no_merge_request' })
    expect([await queuesOf(intake), await enqueued(intake)]).toEqual([['main-7'], []])
  })

  test('a merge request from it is evaluated: its pipeline may end an approval', async () => {
    const intake = makeIntake()
    const attributes = { iid: 2, action: 'open', source_branch: branch, source_project_id: 7, target_project_id: 7 }
    await intake.take({ object_kind: 'merge_request', project: { id: 7 }, object_attributes: attributes })
    expect((await intake.take(ended)).record).toMatchObject({ state: 'read', mergeRequests: [{ iid: 2 }] })
  })
})

/** The journal knows these merge requests of the branch. */
const knows = async (iids: readonly number[], { project = 7, of = 7, branch = 'feature', over = false } = {}) => {
  for (const iid of iids)
    await stores.journal.mergeRequests.save(
      { project: of, iid },
      { origin: { project, branch }, ...(over ? { ended: true } : {}) },
    )
}

describe('a pipeline of a branch', () => {
  test('enqueues the merge requests that are known of it, but for those that are over', async () => {
    const intake = makeIntake()
    await knows([1, 2])
    await knows([3], { branch: 'other' })
    await knows([4], { project: 8 })
    await knows([5], { over: true })
    expect((await intake.take(green)).record).toMatchObject({ state: 'read', mergeRequests: [{ iid: 1 }, { iid: 2 }] })
    expect(await enqueued(intake)).toEqual([1, 2])
  })

  test('enqueues a merge request by the rules of its target project', async () => {
    const some = rulesOfVersion('')
    const never = ruleFile('rules:\n  - { name: a, if: { source_branch: other }, then: { approve: true } }\n')
    const inForce: RuleFiles['inForce'] = async (project) => ({
      ...(await some.inForce(project)),
      ...(project === 7 ? { files: [never] } : {}),
    })
    const intake = makeIntake({ ruleFiles: { ...some, inForce } })
    await knows([1], { of: 8 })
    await knows([2])
    const ref = { project: 8, iid: 1 }
    expect((await intake.take(green)).record).toMatchObject({ state: 'read', mergeRequests: [ref] })
    expect([(await stores.journal.events.pending(ref)).length, await enqueued(intake)]).toEqual([1, [1]])
  })

  test('without an open merge request enqueues nothing', async () => {
    const intake = makeIntake()
    expect((await intake.take(green)).record).toMatchObject({
      state: 'no_merge_request',
      reason: 'No open merge request is affected.',
    })
    expect(await enqueued(intake)).toEqual([])
  })

  test('of a merge request does not tell whether it is its own: it may be of a merge train', async () => {
    const intake = makeIntake({ ruleFiles: aboutPipelines() })
    const { record } = await intake.take({ ...green, merge_request: { iid: 2, target_project_id: 7 } })
    expect(record).toMatchObject({ state: 'read', mergeRequests: [{ iid: 2 }] })
    expect(await stores.journal.marks.read(7, 'merge request pipelines')).toBeUndefined()
  })
})

describe('the merge requests of a branch', () => {
  const ofSha = (sha: string) => ({ ...green, object_attributes: { ...green.object_attributes, id: 6, sha } })
  const openedFrom = (iid: number, source_branch = 'feature', project = 7) => ({
    object_kind: 'merge_request',
    project: { id: project },
    object_attributes: { iid, action: 'open', source_branch, source_project_id: project, target_project_id: project },
  })
  const iidsOf = async (intake: ReturnType<typeof makeIntake>, payload: unknown) =>
    (await intake.take(payload)).record?.mergeRequests.map(({ iid }) => iid)

  test('are those whose events came, also where no rule waited for them', async () => {
    const never = aboutPipelines('{ source_branch: other, pipeline: success }')
    const intake = makeIntake({ ruleFiles: never })
    expect(await iidsOf(intake, green)).toEqual([])
    for (const iid of [3, 4]) await intake.take(openedFrom(iid))
    expect(await iidsOf(intake, ofSha(B))).toEqual([3, 4])
  })
})

describe('a push', () => {
  const branch = { project: 7, branch: 'feature' }

  test('is stored once, with who pushed, and enqueues the merge requests of the branch', async () => {
    const intake = makeIntake()
    await knows([1])
    for (let n = 0; n < 2; n += 1) await intake.take(pushed, 'a push')
    expect(await stores.journal.pushes.list(branch)).toEqual([{ from: A, to: B, by: { id: 3, username: 'ann' } }])
    expect(await enqueued(intake)).toEqual([1])
  })

  const toMain = { ...pushed, ref: 'refs/heads/main' }

  test('is retried until the merge requests could be listed', async () => {
    const intake = makeIntake({ ruleFiles: rulesOfVersion('main one') })
    service().get('/projects/7/merge_requests').query(true).times(4).reply(500)
    await expect(intake.take(toMain, 'a push')).rejects.toThrow()
    lists({ iid: 8 })
    await intake.take(toMain, 'a push')
    expect(await enqueued(intake)).toEqual([8])
  })

  test('after which the rules are broken is recorded as such, with the first problem', async () => {
    const problems = ['.bellhop.yml:3:5: one', '.bellhop.yml:4:5: two']
    const intake = makeIntake({ ruleFiles: rulesOfVersion('main one', { problems }) })
    lists()
    expect((await intake.take(toMain)).record).toMatchObject({ state: 'rules_broken', reason: problems[0] })
  })

  test('to a project without a rule file enqueues nothing', async () => {
    const intake = makeIntake({ ruleFiles: rulesOfVersion('') })
    await intake.take(toMain)
    expect(await enqueued(intake)).toEqual([])
  })
})

describe('a push to a target branch', () => {
  const toMain = { ...pushed, ref: 'refs/heads/main' }
  const keeps = '{ name: keep, if: { commits_behind: { at_least: 1 }, labels: ready }, then: { rebase: true } }'
  const other = '{ name: other, if: { changed_files_count: 3 }, then: { subscribe: true } }'
  const into = (iid: number, more: object = {}) => ({
    ...{ iid, target_branch: 'main', source_branch: `f${iid}`, state: 'opened', sha: A, labels: ['ready'], ...more },
  })
  const intakeWith = (...rules: string[]) => {
    const files = [ruleFile(`rules:\n${rules.map((each) => `  - ${each}\n`).join('')}`)]
    return makeIntake({ ruleFiles: rulesOfVersion('', { files }) })
  }
  const listsInto = (...found: object[]) =>
    service()
      .get('/projects/7/merge_requests')
      .query((query) => query.target_branch === 'main')
      .reply(200, found)

  test('evaluates the merge requests into it that a rule about commits behind may match', async () => {
    const intake = intakeWith(other, keeps)
    listsInto(into(1), into(2, { labels: [] }), into(3, { target_branch: 'next' }), into(4, { state: 'merged' }), {})
    expect((await intake.take(toMain)).record).toMatchObject({ state: 'no_merge_request' })
    expect(await enqueued(intake)).toEqual([1])
  })
  test.each([
    ['no rule is about commits behind', [other], toMain],
    ['such a rule is off', [keeps.replace('if:', 'mode: off, if:')], toMain],
    ['the branch is deleted', [keeps], { ...toMain, after: '0'.repeat(40) }],
    ['the branch is new', [keeps], { ...toMain, before: '0'.repeat(40) }],
  ])('lists nothing where %s', async (_why, rules, push) => {
    const intake = intakeWith(...rules)
    expect((await intake.take(push)).record).toMatchObject({ state: 'no_merge_request' })
    expect(await enqueued(intake)).toEqual([])
  })
  test('is read where the list is refused', async () => {
    const intake = intakeWith(keeps)
    service().get('/projects/7/merge_requests').query(true).reply(403)
    expect(await intake.take(toMain)).toMatchObject({
      outcome: { outcome: 'done' },
      record: { state: 'no_merge_request' },
    })
  })
})
