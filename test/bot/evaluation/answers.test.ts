// Kept answers: the changes of one version of one merge request, and projects.
import { createAnswerCache } from '../../../src/bot/evaluation/answers.ts'
import type { DecideInput, SourceAnswer } from '../../../src/rules/types.ts'

const sha = (letter: string) => letter.repeat(40)
const version = (change: object = {}, refs: object = {}) => ({
  ...{ sha: sha('a'), target_branch: 'main', ...change },
  diff_refs: { base_sha: sha('b'), start_sha: sha('c'), head_sha: sha('a'), ...refs },
})
const ref = { project: 7, iid: 1 }
const answer = (body: object): SourceAnswer => ({ ok: true, body, complete: true })
const changes = (body: object) => answer({ changes: [], changes_count: '0', ...body })

const read = (body: object, mergeRequest = ref) =>
  ({ mergeRequest, answers: { mergeRequest: answer(body) } }) as unknown as DecideInput

test('the changes of a version are used again', () => {
  const cache = createAnswerCache()
  cache.store(read({}), 'changes', changes(version()))
  expect(cache.find(read(version()), 'changes')).toEqual(changes(version()))
})

test.each<[string, object, object?, { project: number; iid: number }?]>([
  ['another head', version({ sha: sha('d') }, { head_sha: sha('d') })],
  ['another head, while the references are of the old one', version({ sha: sha('d') })],
  ['another target branch', version({ target_branch: 'release' })],
  ['another base', version({}, { base_sha: sha('d') })],
  ['another start', version({}, { start_sha: sha('d') })],
  ['no references', { sha: sha('a'), target_branch: 'main', diff_refs: null }],
  ['a base that is not named', version({}, { base_sha: null }), version({}, { base_sha: null })],
  ['references of an older head on both sides', version({ sha: sha('d') }), version({ sha: sha('d') })],
  ['another iid', version(), version(), { ...ref, iid: 2 }],
  ['another project', version(), version(), { ...ref, project: 8 }],
])('they are not used for %s', (_what, present, before = version(), mergeRequest = ref) => {
  const cache = createAnswerCache()
  cache.store(read({}), 'changes', changes(before))
  expect(cache.find(read(present, mergeRequest), 'changes')).toBeUndefined()
})

test('no answer that lacks a target branch, and no refusal, is used again', () => {
  const cache = createAnswerCache()
  cache.store(
    read({}),
    'versions',
    answer([{ head_commit_sha: sha('a'), base_commit_sha: sha('b'), start_commit_sha: sha('c') }]),
  )
  cache.store(read({}), 'changes', { ok: false, reason: 'no' })
  expect(['versions', 'changes'].map((name) => cache.find(read(version()), name))).toEqual([undefined, undefined])
})

test('a project is kept for all its merge requests, not for another project, until it is refused', () => {
  const cache = createAnswerCache()
  const project = answer({ default_branch: 'main' })
  cache.store(read({}), 'project', project)
  const found = [
    { ...ref, iid: 2 },
    { ...ref, project: 8 },
  ].map((each) => cache.project(each))
  expect(found).toEqual([project, undefined])
  cache.store(read({}), 'project', { ok: false, reason: 'no' })
  expect(cache.project(ref)).toBeUndefined()
})

test('who is in a group is asked again after five minutes, and for another group at once', () => {
  let now = 1
  const cache = createAnswerCache(() => now)
  const given = { mergeRequest: ref, answers: {} } as unknown as DecideInput
  const members = answer([{ id: 1 }])
  cache.store(given, 'groupMembers@team', members)
  cache.store(given, 'groupMembers@private', { ok: false, reason: 'no', status: 404 })
  const other = { ...given, mergeRequest: { ...ref, project: 8 } }
  expect(cache.find(other, 'groupMembers@team')).toEqual(members)
  expect(cache.find(given, 'groupMembers@private')).toMatchObject({ ok: false })
  expect(cache.find(given, 'groupMembers@team/a')).toBeUndefined()
  now += 5 * 60_000 - 1
  expect(cache.find(given, 'groupMembers@team')).toEqual(members)
  now += 2
  expect(cache.find(given, 'groupMembers@team')).toBeUndefined()
})

test('other answers are not kept for some time', () => {
  const cache = createAnswerCache()
  const given = { mergeRequest: ref, answers: {} } as unknown as DecideInput
  cache.store(given, 'approvals', answer({}))
  expect(cache.find(given, 'approvals')).toBeUndefined()
})

test('whether two heads have the same content is asked again for another target branch', () => {
  const cache = createAnswerCache()
  const name = `contentComparison@${sha('a')}..${sha('b')}`
  const same = answer({ isSame: true })
  cache.store(read(version({ target_branch: 'of-the-author' })), name, same)
  const found = ['of-the-author', 'main'].map((target_branch) => cache.find(read(version({ target_branch })), name))
  expect(found).toEqual([same, undefined])
})
