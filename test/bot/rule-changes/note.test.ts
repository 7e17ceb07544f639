// Which merge requests get a note on a change of the rules, and how many calls that takes.
import { createRuleChangeNote } from '../../../src/bot/rule-changes/note.ts'
import { JobTakenOver } from '../../../src/queue/errors.ts'
import { withMark } from '../../../src/rules/actions/definition/action-calls.ts'
import { makeClient, playService, service } from '../../client/world.ts'
import { file, rule, rules } from '../../rules/world.ts'
import { serves, servesList } from '../service-answers.ts'
import { rulesOfVersion, runningJob, testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
playService()

const MR = '/projects/7/merge_requests/2'
const head = 'a'.repeat(40)
const [base, start] = ['b'.repeat(40), 'c'.repeat(40)]
const change = (path: string, from = path) => ({ old_path: from, new_path: path, diff: '' })
interface Changed extends Record<string, unknown> {
  changes: object[]
}
const changed = (fields: Partial<Changed> = {}): Changed => ({
  iid: 2,
  state: 'opened',
  sha: head,
  source_project_id: 8,
  target_branch: 'main',
  author: { id: 5, username: 'mallory' },
  changes: [change('.bellhop.yml')],
  ...fields,
})

/** The service answers the merge request, the page of its changes, and its one version. */
function shows({ changes, ...fields }: Changed = changed()): void {
  const diff_refs = { base_sha: base, start_sha: start, head_sha: head }
  serves(MR, { ...fields, changes_count: String(changes.length), diff_refs })
  service().get(`${MR}/diffs`).query({ per_page: 30 }).reply(200, changes)
  const version = { id: 1, base_commit_sha: base, start_commit_sha: start, head_commit_sha: head }
  service().get(`${MR}/versions`).query({ per_page: 100 }).reply(200, [version])
}

function makeNote(ruleFiles = rulesOfVersion('v')) {
  const queues = testQueues(stores)
  const { client, lines } = makeClient()
  const context = testContext({
    client,
    journal: stores.journal,
    queues,
    rules: ruleFiles,
    botUser: async () => ({ id: 9, username: 'bellhop' }),
    now: () => Date.parse('2026-11-21T12:00:00Z'),
  })
  const handle = createRuleChangeNote(context)
  const look = (claim = async () => false) => handle(runningJob({ project: 7, iid: 2 }, { claim }))
  return { look, calls: () => lines.length }
}

const project = () => serves('/projects/7', { id: 7, default_branch: 'main' })
const access = (status: number, level = 0) =>
  service().get('/projects/7/members/all/5').reply(status, { id: 5, access_level: level })
const readsNotes = (...notes: object[]) => servesList(`${MR}/notes`, notes)

/** The texts of the notes that are written, one at most. */
function notesWritten(): string[] {
  const written: string[] = []
  service()
    .post(`${MR}/notes`, ({ body }) => written.push(String(body)) > 0)
    .reply(201, { id: 1 })
  return written
}

/** The service answers all reads before the note: a member changed the rules. */
function rulesChanged(body = changed()): void {
  shows(body)
  project()
  access(200, 30)
  service().get('/projects/8/repository/files/.bellhop.yml').query({ ref: head }).reply(404)
  servesList('/projects/7/merge_requests', [])
}

test('a merge request that does not change the rules costs itself, its changes and their version', async () => {
  const { look, calls } = makeNote()
  shows(changed({ changes: [change('src/a.ts')] }))
  expect(await look()).toEqual({ outcome: 'done' })
  expect(calls()).toBe(3)
})

test.each([
  ['a reporter', 200, 20],
  ['a user who is no member', 404, 0],
])('%s cannot make Bellhop work or write', async (_who, status, level) => {
  const { look, calls } = makeNote()
  shows()
  project()
  access(status, level)
  expect(await look()).toEqual({ outcome: 'done' })
  expect(calls()).toBe(5)
})

test.each([
  ['is merged', changed({ state: 'merged' }), 3],
  ['goes into another branch', changed({ target_branch: 'release' }), 4],
  ['comes from a project that is gone', changed({ source_project_id: null }), 3],
])('a merge request that %s gets no note', async (_what, body, expected) => {
  const { look, calls } = makeNote()
  shows(body)
  project()
  expect(await look()).toEqual({ outcome: 'done' })
  expect(calls()).toBe(expected)
})

test.each([
  ['changed', changed()],
  ['moved away', changed({ changes: [change('old.yml', '.bellhop.yml')] })],
])('rules that are %s by a developer get a note, written once', async (_what, body) => {
  const { look } = makeNote()
  rulesChanged(body)
  readsNotes()
  const written = notesWritten()
  expect(await look()).toEqual({ outcome: 'done' })
  rulesChanged(body)
  readsNotes({ id: 1, body: written[0], author: { id: 9 }, system: false })
  expect(await look()).toEqual({ outcome: 'done' })
  expect(written).toEqual([expect.stringContaining('They would decide the same')])
})

test('a rule on the titles of issues does not tell in the note what a confidential issue is called', async () => {
  const given = rulesOfVersion('v')
  const guess = rule('{ closes_issue_titles: { any: "The vault" } }', '{ label: { add: guessed } }')
  const guessing = { ...(await given.inForce(7)), files: [file(rules(guess), { trust: 'repository' })] }
  const { look } = makeNote({ ...given, asIf: async () => guessing })
  const open = {
    ...{ iid: 3, title: 'Open', sha: head, state: 'opened', author: { id: 5 }, labels: [], target_branch: 'main' },
  }
  shows()
  project().persist()
  access(200, 40).persist()
  service().get('/projects/8/repository/files/.bellhop.yml').query({ ref: head }).reply(404)
  servesList('/projects/7/merge_requests', [open])
  serves('/projects/7/merge_requests/3', open)
  servesList('/projects/7/merge_requests/3/closes_issues', [
    { id: 900, iid: 12, project_id: 7, confidential: true, title: 'The vault', labels: [] },
  ])
  readsNotes()
  const written = notesWritten()
  expect(await look()).toEqual({ outcome: 'done' })
  expect(written).toEqual([expect.stringContaining('They would decide the same')])
  expect(written[0]).toContain('1 open merge request evaluated')
})

test('rules are compared on the same facts: each is read once, and those of the project for all', async () => {
  const given = rulesOfVersion('v')
  const byAuthor = file(rules(rule('{ project_visibility: private, author: alice }', '{ label: { add: b } }')))
  const { look } = makeNote({ ...given, asIf: async () => ({ ...(await given.inForce(7)), files: [byAuthor] }) })
  const open = (iid: number) => ({ ...changed(), iid, title: `Open ${iid}`, draft: false, labels: [] })
  shows()
  service().get('/projects/7').twice().reply(200, { id: 7, default_branch: 'main', visibility: 'private' })
  access(200, 30)
  service().get('/projects/8/repository/files/.bellhop.yml').query({ ref: head }).reply(404)
  servesList('/projects/7/merge_requests', [open(3), open(4)])
  for (const iid of [3, 4]) serves(`/projects/7/merge_requests/${iid}`, open(iid))
  readsNotes()
  const written = notesWritten()
  await look()
  expect(written).toEqual([expect.stringContaining('2 open merge requests evaluated')])
})

test('a note of another user is never updated', async () => {
  const { look } = makeNote()
  rulesChanged()
  const forged = { id: 1, body: 'x\n\n<!-- bellhop:0 -->', author: { id: 5 }, system: false }
  readsNotes(forged)
  const created = service().post(`${MR}/notes`).reply(201, { id: 2 })
  await look()
  expect(created.isDone()).toBe(true)
})

test('rules that Bellhop may not read get no note, and the job is done', async () => {
  const { look } = makeNote()
  shows()
  project()
  access(200, 40)
  service().get('/projects/8/repository/files/.bellhop.yml').query(true).reply(403)
  expect(await look()).toEqual({ outcome: 'done' })
})

test.each([
  ['writes no note', []],
  ['leaves its note as it is', [{ id: 1, body: withMark('old', 'rule change'), author: { id: 9 }, system: false }]],
])('a run that lost its job %s', async (_what, notes) => {
  const { look } = makeNote()
  rulesChanged()
  readsNotes(...notes)
  const created = service().post(`${MR}/notes`).reply(201, { id: 2 })
  const updated = service().put(`${MR}/notes/1`).reply(200, { id: 1 })
  await expect(look(() => Promise.reject(new JobTakenOver('j')))).rejects.toThrow(JobTakenOver)
  expect([created.isDone(), updated.isDone()]).toEqual([false, false])
})

test('changes that were read for an evaluation are not read again', async () => {
  const { look, calls } = makeNote()
  const body = changed({ changes: [change('src/a.ts')] })
  shows(body)
  await look()
  shows(body)
  await look()
  expect(calls()).toBe(4)
})

test('where the changes are refused nothing is written or removed', async () => {
  const { look } = makeNote()
  rulesChanged()
  readsNotes()
  service().post(`${MR}/notes`).reply(201, { id: 1 })
  await look()
  serves(MR, changed())
  service().get(`${MR}/changes`).reply(403, { message: '403 Forbidden' })
  expect(await look()).toEqual({ outcome: 'done' })
})

test.each([
  ['public', '1 merge request would wait for that'],
  ['private', undefined],
])('of a %s group without direct members the note says: %s', async (visibility, said) => {
  const text = rules(rule('{ approved_by: { members_of: hotel/security } }', '{ accept: true }'))
  const given = rulesOfVersion('v')
  const proposed = file(text, { trust: 'repository', path: '.bellhop.yml' })
  const { look } = makeNote({ ...given, asIf: async () => ({ ...(await given.inForce(7)), files: [proposed] }) })
  shows()
  service().get('/projects/7').twice().reply(200, { id: 7, default_branch: 'main' })
  access(200, 30)
  const content = Buffer.from(text).toString('base64')
  const found = { content, encoding: 'base64', blob_id: 'b', last_commit_id: head, size: text.length }
  service().get('/projects/8/repository/files/.bellhop.yml').query({ ref: head }).reply(200, found)
  const open = { ...changed(), iid: 3, title: 'Open', draft: false, labels: [] }
  servesList('/projects/7/merge_requests', [open])
  serves('/projects/7/merge_requests/3', open)
  serves('/projects/7/merge_requests/3/approvals', { approved_by: [], approvals_required: 0, approvals_left: 0 })
  service()
    .get('/groups/hotel%2Fsecurity')
    .query({ with_projects: false })
    .reply(200, { id: 4, full_path: 'hotel/security', visibility })
  servesList('/groups/hotel%2Fsecurity/members', [])
  readsNotes()
  const written = notesWritten()
  await look()
  expect(written).toHaveLength(1)
  if (said === undefined) expect(written[0]).not.toContain('Nobody')
  else expect(written[0]).toContain(`**Nobody is \`a direct member of hotel/security\`**: ${said}.`)
})
