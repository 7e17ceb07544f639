// The issues that the merge closes, in the built-in tracker and in others.
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import type { DecideInput, SourceAnswers } from '../../../src/rules/types.ts'
import { actualOf, unsaid } from '../actual.ts'
import { closing, issueAnswers, member } from '../private-world.ts'
import { answer, file, input, mergeRequest, refused, rule, rules } from '../world.ts'

const own = { id: 900, iid: 12, project_id: 1, confidential: false, title: 'The door sticks', labels: ['bug', 'p1'] }
const other = { id: 'DOOR-3', title: 'External Issue DOOR-3' }

it.each([
  ['closes_issues', [own, other], '"#12", "DOOR-3"'],
  ['closes_issues', [], 'none'],
  ['closes_issues', [{}], unsaid],
  ['closes_issues', [null], unsaid],
  ['closes_issues', [0, 'x'], unsaid],
  ['closes_issues', [{ iid: {}, id: 1 }], unsaid],
  ['closes_issue_labels', [{ ...own, labels: 'bug' }], unsaid],
  ['closes_issue_labels', ['x'], unsaid],
  ['closes_issues', {}, 'unknown: the hosting service’s answer cannot be read'],
  ['closes_issue_titles', [own, other], '"The door sticks", "External Issue DOOR-3"'],
  ['closes_issue_titles', [{ iid: 1 }], unsaid],
  ['closes_issue_labels', [own, { ...own, labels: ['bug', 'p2'] }, other], '"bug", "p1", "p2"'],
  ['closes_issue_labels', [{ ...own, labels: null }], unsaid],
  ['closes_issue_labels', [], 'none'],
])('%s of %j are %s', (fact, issues, expected) => {
  expect(actualOf(`${fact}: { none: x }`, {}, { closesIssues: answer(issues) })).toBe(expected)
})

describe('whether the merge closes a hidden issue', () => {
  const secret = (more: object = {}) => closing({ references: { full: 'acme/vault#12' }, ...more })
  /** Where nothing else is said, the service lists no issue. */
  function hidden(
    {
      fields = {},
      messages = ['Add a door'],
      issues = [],
    }: { fields?: Record<string, unknown>; messages?: unknown; issues?: unknown[] },
    other: SourceAnswers = {},
    more: Partial<DecideInput> = {},
  ) {
    const commits = Array.isArray(messages) ? answer(messages.map((message: unknown) => ({ message }))) : refused()
    const web_url = 'https://code.example.com/acme/door'
    const project = answer({ id: 1, default_branch: 'main', path_with_namespace: 'acme/door', web_url })
    const given = {
      ...issueAnswers(issues),
      ...{ landingCommits: commits, project, mergeRequest: answer(mergeRequest(fields)) },
      ...other,
    }
    const view = createView(
      input([file(rules(rule('{ draft: false }', '{ subscribe: true }')))], { answers: given, ...more }),
    )
    return view.fact('closes_hidden_issues')
  }
  const is = (value: boolean) => expect.objectContaining({ is: 'known', value })
  const unknown = expect.objectContaining({ is: 'absent', reason: expect.stringContaining('hidden issue') })
  const named = { fields: { description: 'Closes acme/vault#12' } }
  const inCommit = { messages: ['Add\n\nCloses acme/vault#12'] }
  const looked = (body: SourceAnswers[string]) => ({ 'referencedIssue@acme/vault#12': body })

  it.each<[string, Parameters<typeof hidden>, unknown]>([
    ['no text names one', [{ issues: [secret()] }], is(false)],
    ['a description names one that the service does not list', [named], is(false)],
    ['a description names a hidden one', [{ ...named, issues: [secret()] }], is(true)],
    ['a title names a hidden one', [{ fields: { title: 'Fix acme/vault#12' }, issues: [secret()] }], is(true)],
    [
      'its author is a member there',
      [{ ...named, issues: [secret()] }, { 'authorAccessIn@55': member(10) }],
      is(false),
    ],
    [
      'the operator allows it',
      [{ ...named, issues: [secret()] }, {}, { policy: { mode: 'act', issues: 'any' } }],
      is(false),
    ],
    [
      'its target is another branch',
      [{ fields: { ...named.fields, target_branch: 'next' }, issues: [secret()] }],
      is(false),
    ],
    ['a commit names one that the service lists', [{ ...inCommit, issues: [secret()] }], is(true)],
    ['a commit names one that it lists for nobody else', [inCommit, looked(answer(secret()))], is(true)],
    ['a commit names one that does not exist', [inCommit, looked(refused())], is(false)],
    [
      'a commit names one of its own that is confidential',
      [
        { messages: ['Closes #3'] },
        { 'referencedIssue@acme/door#3': answer(closing({ project_id: 1, iid: 3, confidential: true })) },
      ],
      is(true),
    ],
    [
      'commits name more than are looked up',
      [{ messages: [`Closes ${Array.from({ length: 11 }, (_, n) => `a/b#${n}`).join(', ')}`] }],
      unknown,
    ],
    ['its commits cannot be read', [{ messages: null }], unknown],
    ['the list is cut', [named, { closesIssues: answer([], false) }], unknown],
  ])('where %s', (_what, given, expected) => {
    expect(hidden(...given)).toEqual(expected)
  })
})
