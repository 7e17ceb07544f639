// The facts that only issues have.
import { firstBlocker } from '../../../src/rules/explain/explain.ts'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import { answer, decideIssue, input, ofIssue, problemsIn } from '../world.ts'

const viewOf = (fields: Record<string, unknown>, related: unknown[] = []) =>
  createView(input([], ofIssue(fields, { relatedMergeRequests: answer(related) })))

describe('fields', () => {
  it.each([
    ['confidential', { confidential: true }, true],
    ['issue_type', { issue_type: 'incident' }, 'incident'],
    ['weight', { weight: 5 }, 5],
    ['weight', { weight: null }, 0],
    ['title', { title: 'Stuck' }, 'Stuck'],
    ['labels', { labels: ['bug'] }, ['bug']],
    ['iid', {}, 7],
  ])('%s is read from %j', (name, fields, value) => {
    expect(viewOf(fields).fact(name)).toMatchObject({ is: 'known', value })
  })
  it('a weight that the service does not show needs Premium', () => {
    expect(viewOf({ weight: undefined }).fact('weight')).toMatchObject({
      is: 'absent',
      reason: 'this installation does not show it; it needs Premium',
    })
  })
  it.each([
    ['state: [closed, merged]', 'close it'],
    ['state: merged', undefined],
  ])('no fix says to merge it: %s', (condition, toFix) => {
    const [rule] = decideIssue(`{ ${condition} }`, '{ todo: true }').rules
    expect(rule?.verdict).toBe('false')
    expect(rule === undefined ? undefined : firstBlocker(rule)?.toFix).toBe(toFix)
  })
  it('what only merge requests have is absent', () => {
    for (const name of ['pipeline', 'approved', 'changed_files', 'mergeability'])
      expect(viewOf({}).fact(name)).toMatchObject({ is: 'absent' })
  })
  it('it was inactive since the last note of somebody else', () => {
    const notes = answer([{ id: 1, body: 'x', author: { id: 2 }, created_at: '2026-01-10T22:00:00Z' }])
    const given = input([], ofIssue({ created_at: '2026-01-01T00:00:00Z' }, { notes }))
    expect(createView(given).fact('inactive_for')).toMatchObject({ is: 'known', value: 7200 })
  })
})

describe('related merge requests', () => {
  const own = { iid: 3, project_id: 1, state: 'opened', references: { full: 'acme/door!3' } }
  const other = { iid: 4, project_id: 9, state: 'merged', references: { full: 'acme/hidden!4' } }
  it('are named as the service names them', () => {
    expect(viewOf({}, [own, other]).fact('related_merge_requests')).toMatchObject({
      is: 'known',
      value: ['!3', 'acme/hidden!4'],
      complete: true,
    })
    expect(viewOf({}, [own, other]).fact('related_merge_requests_open')).toMatchObject({
      value: ['!3'],
      complete: true,
    })
  })
  it('of other projects are in no public text', () => {
    const value = viewOf({}, [own, other]).publicFact('related_merge_requests')
    expect(value).toMatchObject({ value: ['!3'], complete: false })
    expect(JSON.stringify(value)).not.toContain('hidden')
  })
  it('without a name make the fact absent', () => {
    expect(viewOf({}, [{ ...other, references: null }]).fact('related_merge_requests').is).toBe('absent')
  })
})

describe('the texts of a confidential issue', () => {
  const texts = ['title', 'description']
  it.each([[true], [undefined], ['yes']])('are hidden where confidential is %j', (confidential) => {
    const view = viewOf({ confidential, title: 'The vault', description: 'is open' })
    for (const name of texts) {
      expect(view.hides(name)).toBe(true)
      expect(view.publicFact(name).is).toBe('absent')
      expect(view.fact(name).is).toBe('known')
    }
    expect(view.hides('labels')).toBe(false)
  })
  it('are shown where it is not confidential', () => {
    expect(texts.map((name) => viewOf({ confidential: false }).hides(name))).toEqual([false, false])
  })
  it('of a merge request are never hidden', () => {
    expect(createView(input([])).hides('title')).toBe(false)
  })
})

it('facts of issues are refused in rules for merge requests, and the other way round', () => {
  expect(problemsIn('rules:\n  - name: a\n    if: { confidential: true }\n    then: { subscribe: true }\n')).toEqual([
    'f.yml:3:11: rules[0].if.confidential: expected facts of merge requests, because the rule is for merge requests, found confidential, which is of an issue',
  ])
  expect(
    problemsIn('rules:\n  - name: a\n    for: issues\n    if: { pipeline: success }\n    then: { subscribe: true }\n'),
  ).toEqual([
    'f.yml:4:11: rules[0].if.pipeline: expected facts of issues, because the rule is for issues, found pipeline, which is of a merge request',
  ])
})
