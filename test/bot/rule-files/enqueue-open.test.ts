// A change of the rules enqueues the open merge requests once, here and in the projects that include the rules.
import { enqueueAfterPush, enqueueAfterTag, enqueueOpen } from '../../../src/bot/rule-files/enqueue-open.ts'
import { createRuleCache } from '../../../src/bot/rule-files/read-rule-file.ts'
import { createRuleFiles } from '../../../src/bot/rule-files/rule-files.ts'
import type { RuleFileInForce } from '../../../src/rules/types.ts'
import { playService, service } from '../../client/world.ts'
import { issueRule, file as ruleFile, rules } from '../../rules/world.ts'
import { rulesOfVersion, testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
playService()

function makeWorld(version = 'v1', operatorVersion = '') {
  const queues = testQueues(stores)
  const shared = testContext({ queues, journal: stores.journal })
  const { includes } = createRuleFiles(shared, createRuleCache())
  const of = (rules: string, operator: string) => ({
    ...shared,
    rules: { ...rulesOfVersion(rules), operatorVersion: operator, includes },
  })
  const enqueued = async () => {
    const jobs = await queues.mergeRequests.list(['waiting', 'prioritized'], 0, 100)
    for (const { id } of jobs) await queues.mergeRequests.remove(id)
    return jobs.map(({ data }) => `${data.project}!${data.iid}`).sort()
  }
  return { queues, of, context: of(version, operatorVersion), enqueued }
}
const inForce = { mode: 'act' as const, includeFrom: [], newRuleLimit: 0 }
const inVersion = (version: string, projectPath = 'hotel/app', files: RuleFileInForce[] = []) => ({
  ...{ version, projectPath, files, policy: inForce, problems: [] },
})
const head = 'a'.repeat(40)
const open = (project: number, ...iids: number[]) =>
  service()
    .get(`/projects/${project}/merge_requests`)
    .query({ state: 'opened', per_page: 100 })
    .reply(
      200,
      iids.map((iid) => ({ iid })),
    )

describe('rules that were read for one merge request', () => {
  test('evaluate the other merge requests again when they changed, once', async () => {
    const { context, of, enqueued } = makeWorld()
    await enqueueOpen(context, 7, inVersion('v1'))
    expect(await enqueued()).toEqual([])
    open(7, 1, 2)
    for (const expected of [['7!1', '7!2'], []]) {
      await enqueueOpen(of('v2', ''), 7, inVersion('v2'))
      expect(await enqueued()).toEqual(expected)
    }
  })
  test.each([
    ['the operator changed files or policy', 'two', 'hotel/app'],
    ['the project moved and the operator has rules', 'one', 'inn/app'],
  ])('evaluate the other merge requests again when %s', async (_what, operator, path) => {
    const { context, of, enqueued } = makeWorld('v1', 'one')
    await enqueueOpen(context, 7, inVersion('v1'))
    open(7, 3)
    await enqueueOpen(of('v1', operator), 7, inVersion('v1', path))
    expect(await enqueued()).toEqual(['7!3'])
  })
  test('are not compared by the path where the operator has no rules', async () => {
    const { context, enqueued } = makeWorld()
    for (const path of ['hotel/app', 'inn/app']) await enqueueOpen(context, 8, inVersion('v1', path))
    expect(await enqueued()).toEqual([])
  })
})

describe('rules for issues', () => {
  const forIssues = (mode: string) => [
    ruleFile(rules(issueRule('{ state: opened }', '{ todo: true }', `    mode: ${mode}\n`))),
  ]
  const openIssues = (status: number, ...iids: number[]) =>
    service()
      .get('/projects/7/issues')
      .query({ state: 'opened', per_page: 100 })
      .reply(status, status === 200 ? iids.map((iid) => ({ iid })) : { message: '403 Forbidden' })

  test('evaluate the open issues too, and once more after the last of them is gone', async () => {
    const { context, of, enqueued } = makeWorld()
    await enqueueOpen(context, 7, inVersion('v1'))
    open(7, 1)
    openIssues(200, 1, 2)
    await enqueueOpen(of('v2', ''), 7, inVersion('v2', 'hotel/app', forIssues('act')))
    expect(await enqueued()).toEqual(['7!-1', '7!-2', '7!1'])
    open(7, 1)
    openIssues(200, 2)
    await enqueueOpen(of('v3', ''), 7, inVersion('v3', 'hotel/app', forIssues('off')))
    expect(await enqueued()).toEqual(['7!-2', '7!1'])
    open(7, 1)
    await enqueueOpen(of('v4', ''), 7, inVersion('v4'))
    expect(await enqueued()).toEqual(['7!1'])
  })

  test('leave the merge requests to be evaluated where issues cannot be listed', async () => {
    const { context, of, enqueued } = makeWorld()
    await enqueueOpen(context, 7, inVersion('v1'))
    open(7, 1)
    openIssues(403)
    await enqueueOpen(of('v2', ''), 7, inVersion('v2', 'hotel/app', forIssues('act')))
    expect(await enqueued()).toEqual(['7!1'])
  })

  test('leave the issues to be evaluated where merge requests cannot be listed', async () => {
    const { context, of, enqueued } = makeWorld()
    await enqueueOpen(context, 7, inVersion('v1'))
    const refused = (status: number) =>
      service()
        .get('/projects/7/merge_requests')
        .query({ state: 'opened', per_page: 100 })
        .reply(status, { message: 'no' })
    const changed = () => enqueueOpen(of('v2', ''), 7, inVersion('v2', 'hotel/app', forIssues('act')))
    refused(404)
    await expect(changed()).rejects.toMatchObject({ status: 404 })
    refused(403)
    openIssues(200, 1)
    await changed()
    expect(await enqueued()).toEqual(['7!-1'])
  })
})

test('a note on a change of the rules is written again when the rules in force change', async () => {
  const { queues, context, of } = makeWorld()
  await enqueueOpen(context, 7, inVersion('v1'))
  for (const [iid, state] of [
    [1, 'written'],
    [2, 'removed'],
  ] as const)
    await stores.journal.marks.write(7, `rule change note ${iid}`, state)
  open(7, 1, 2, 3)
  await enqueueOpen(of('v2', ''), 7, inVersion('v2'))
  const jobs = await queues.ruleChanges.list(['waiting', 'prioritized'], 0, 100)
  expect(jobs.map(({ data }) => data)).toEqual([{ project: 7, iid: 1 }])
})

/** The rules of the project include a file of project 7. */
async function includes(project: number, ref = 'v1'): Promise<void> {
  const text = `include: { project: hotel/rules, file: merge.yml, ref: ${ref} }\n`
  const good = { blob: 'b', text }
  const base = { project, ref: 'main', ...good, problems: [], good, readAt: '2026-11-21T12:00:00Z' }
  await stores.journal.ruleFiles.save(project, [
    { ...base, path: '.bellhop.yml' },
    { ...base, path: 'hotel/rules:merge.yml', origin: { project: 7, path: 'merge.yml' } },
  ])
}

describe('a tag', () => {
  test('enqueues in the projects that include a file at it, and in no others', async () => {
    const { context, enqueued } = makeWorld()
    await includes(9, 'v1')
    await includes(10, 'v2')
    open(9, 4)
    await enqueueAfterTag(context, 7, 'v1')
    expect(await enqueued()).toEqual(['9!4'])
  })
  test('of a project that is not included costs no call', async () => {
    const { context, enqueued } = makeWorld()
    await enqueueAfterTag(context, 7, 'v1')
    expect(await enqueued()).toEqual([])
  })
})

describe('a push', () => {
  test('to another branch changes no rules', async () => {
    const { context, enqueued } = makeWorld()
    await enqueueAfterPush(context, 7, { branch: 'feature', to: head })
    expect(await enqueued()).toEqual([])
  })
  test('to the default branch enqueues also in the projects that include its files', async () => {
    const { context, enqueued } = makeWorld()
    await includes(9)
    open(7, 1)
    open(9, 4, 5)
    await enqueueAfterPush(context, 7, { branch: 'main', to: head })
    expect(await enqueued()).toEqual(['7!1', '9!4', '9!5'])
  })
  test('is not stopped by an including project that Bellhop may not see any more', async () => {
    const { context, enqueued } = makeWorld()
    for (const includer of [9, 10]) await includes(includer)
    open(7)
    service().get('/projects/9/merge_requests').query(true).reply(404)
    open(10, 6)
    await enqueueAfterPush(context, 7, { branch: 'main', to: head })
    expect(await enqueued()).toEqual(['10!6'])
  })
})
