// A rule is for merge requests, issues or the project: what check says where it requests what they do not have.
import type { Action } from '../../../../src/rules/actions/definition/action.ts'
import { isActionOf } from '../../../../src/rules/actions/definition/action-calls.ts'
import { actions } from '../../../../src/rules/actions/index.ts'
import { warningsOf } from '../../../../src/rules/lint/warnings.ts'
import { answers, decidedBy, file, issueRule, ofIssue, problemsIn, rule, rules, sent } from '../../world.ts'

const textOf = (...lines: string[]) => ['rules:', '  - name: a', ...lines.map((line) => `    ${line}`)].join('\n')
const problemsOf = (...lines: string[]) => problemsIn(textOf(...lines), '.bellhop.yml', 'repository')

it('a definition has facts of merge requests or facts of issues, else no rule could use it', () => {
  const defs = (text: string) => problemsIn(`defs: ${text}\nrules: []`, '.bellhop.yml', 'repository')
  expect(defs('{ open: { state: opened }, mine: { draft: true, state: opened }, heavy: { weight: 3 } }')).toEqual([])
  expect(defs('{ heavy: { weight: 3 }, odd: { any: [{ use: heavy }, { draft: true }] } }')).toEqual([
    '.bellhop.yml:1:31: defs.odd: expected facts of merge requests, or facts of issues, found draft and weight',
  ])
})

const tell = (text = 'Hello') => `then: { notify: { to: team, text: "${text}" } }`

describe('a rule for the project', () => {
  it.each([
    ['for: project', 'on: push', tell()],
    ['on: [tag_push, "issue.*", wiki_page.create, merge_request.merge]', tell()],
    [
      'on: { tag_push: }',
      'if: { ref: { glob: "v*" }, ref_change: created, actor: alice, group: hotel }',
      tell('{{ ref }} by {{ actor }} in {{ project_path }}'),
    ],
    ['on: release.create', 'if: { actor_access: { at_least: maintainer }, clock: { days: [sat] } }', tell()],
  ])('%s is fine', (...lines) => {
    expect(problemsOf(...lines)).toEqual([])
  })
  it('is one for a tag, a release or the like without for:, and for: project for other events', () => {
    const subjectOf = (...lines: string[]) => file(textOf(...lines)).rules.rules[0]?.subject
    const kinds = ['tag_push', 'release.create', 'deployment.failed', 'milestone.close', 'wiki_page.update']
    for (const kind of [...kinds, 'access_token.expiring', 'issue.open'])
      expect(subjectOf(`on: [push, ${kind}]`, tell())).toBe('project')
    for (const kind of ['push', 'pipeline.failed', 'merge_request.open']) {
      expect(subjectOf(`on: ${kind}`, tell())).toBeUndefined()
      expect(subjectOf('for: project', `on: ${kind}`, tell())).toBe('project')
    }
  })
  it('is for events', () => {
    expect(problemsOf('for: project', 'if: { group: hotel }', tell())).toEqual([
      '.bellhop.yml:3:5: rules[0].for: expected a rule with on:, because the project is evaluated only for events, found a rule without on:',
    ])
  })
  it('requests no fact of a merge request, wherever it stands', () => {
    expect(problemsOf('for: project', 'on: push', 'if: { labels: [x] }', tell())).toEqual([
      '.bellhop.yml:5:11: rules[0].if.labels: expected facts of the event, the project or the clock, because the rule is for the project, found labels, which is of a merge request',
    ])
    expect(problemsOf('on: tag_push', 'if: { any: [{ actor: a }, { not: { draft: true } }] }', tell())).toEqual([
      '.bellhop.yml:4:5: rules[0].if: expected facts of the event, the project or the clock, because tag_push is about no merge request, found draft, which is of a merge request',
    ])
    expect(problemsOf('on: tag_push', tell('{{ title }}'))).toEqual([
      '.bellhop.yml:4:39: rules[0].then.notify.text: expected a fact of the event, the project or the clock, found {{ title }}',
    ])
  })
  it('hears no command', () => {
    expect(problemsOf('for: project', 'command: tell', tell())[0]).toMatch(
      /^\.bellhop\.yml:4:5: rules\[0\]\.command: expected on: with an event/,
    )
  })
})

describe('a rule for an event without a merge request', () => {
  it.each(['tag_push', 'issue.*', 'issue.open', 'wiki_page.update'])('%s does nothing to merge requests', (kind) => {
    expect(problemsOf(`on: [push, ${kind}]`, 'then: { label: { add: x } }')).toEqual([
      `.bellhop.yml:4:13: rules[0].then.label: expected what is done for the project (notify), because ${kind} is about no merge request, found label`,
    ])
    expect(problemsOf('for: merge_requests', `on: ${kind}`, tell())).toEqual([
      `.bellhop.yml:4:5: rules[0].on: expected events of merge requests, found ${kind}`,
    ])
  })
  it.each(['push', 'merge_request.open', 'note.create', 'pipeline.*'])('%s may have one', (kind) => {
    expect(problemsOf(`on: ${kind}`, 'then: { label: { add: x } }')).toEqual([])
  })
})

describe('a rule for issues', () => {
  it.each([
    ['for: issues', 'if: { labels: [bug], confidential: false, weight: { at_least: 3 } }', 'then: { estimate: 2h }'],
    ['for: issues', 'on: [issue.open, note.create, emoji.award]', 'then: { comment: "Hello {{ author }}" }'],
    ['for: issues', 'command: close', 'if: { project_path: acme/door }', 'then: { close: true }'],
    ['for: merge_requests', 'if: { draft: true }', 'then: { label: { add: x } }'],
  ])('%s, %s is fine', (...lines) => {
    expect(problemsOf(...lines)).toEqual([])
  })
  it.each([
    [
      ['for: epics', 'if: { labels: [x] }', 'then: { close: true }'],
      '3:10: rules[0].for: expected one of merge_requests, issues, project, found "epics"',
    ],
    [
      ['for: issues', 'if: { labels: [x] }', 'then: { accept: true }'],
      '5:13: rules[0].then.accept: expected what is done to an issue, because the rule is for issues, found accept',
    ],
    [
      ['for: issues', 'on: pipeline.success', 'then: { close: true }'],
      '4:5: rules[0].on: expected events of issues: issue.*, note.*, emoji.*, found pipeline.success',
    ],
    [
      ['for: issues', 'if: { any: [{ labels: [x] }, { draft: true }] }', 'then: { close: true }'],
      '4:5: rules[0].if: expected facts of issues, because the rule is for issues, found draft, which is of a merge request',
    ],
    [
      ['for: issues', 'if: { labels: [x] }', 'then: { comment: "At {{ head }}" }'],
      '5:22: rules[0].then.comment: expected a fact of issues, found {{ head }}',
    ],
    [
      ['if: { labels: [x] }', 'then: { comment: "It is {{ issue_type }}" }'],
      '4:22: rules[0].then.comment: expected a fact of merge requests, found {{ issue_type }}',
    ],
  ])('%j is refused', (lines, expected) => {
    expect(problemsOf(...lines)).toEqual([`.bellhop.yml:${expected}`])
  })
  it('is another rule than one for merge requests with the same conditions', () => {
    const text = (more: string) => `rules:\n  - name: a\n${more}    if: { labels: [x] }\n    then: { close: true }\n`
    const print = (more: string) => file(text(more)).rules.rules[0]?.fingerprint
    expect(print('    for: issues\n')).not.toBe(print(''))
    expect(print('    for: merge_requests\n')).toBe(print(''))
  })
  it('is evaluated for issues alone', () => {
    const both = rules(
      rule('{ state: opened }', '{ label: { add: mr } }', 'one'),
      issueRule('{ state: opened }', '{ label: { add: issue } }'),
    )
    expect(sent(decidedBy(both))).toEqual([['mergeRequests.update', { add_labels: 'mr' }]])
    expect(sent(decidedBy(both, ofIssue()))).toEqual([['issues.update', { add_labels: 'issue' }]])
  })
  it('conflicts with no rule for merge requests', () => {
    const warnings = (more: string) => {
      const other = issueRule('{ labels: [x] }', '{ label: { remove: y } }').replace('    for: issues\n', more)
      const text = rules(rule('{ labels: [x] }', '{ label: { add: y } }', 'one'), other)
      return warningsOf(text, file(text).rules).length
    }
    expect([warnings('    for: issues\n'), warnings('')]).toEqual([0, 1])
  })
})

describe('what is done to an issue', () => {
  const example = (name: string) => actions[name as keyof typeof actions].example
  const names = Object.values<Action>(actions).flatMap((each) => (isActionOf(each, 'issue') ? [each.name] : []))
  it('is what people do with issues', () => {
    expect(names).toEqual([
      ...['assign', 'close', 'comment', 'estimate', 'label', 'milestone', 'reopen', 'spend', 'subscribe', 'todo'],
      'unsubscribe',
    ])
  })
  it.each(names)('%s calls for the issue what it calls for a merge request', (name) => {
    const opposite = { reopen: { state: 'closed' }, unsubscribe: { subscribed: true } }[name] ?? {}
    const event = { id: 'd1', event: { kind: 'issue.update', actor: { id: 2 }, at: '2026-01-11T00:00:00Z' } }
    const text = (more: string, on: string) =>
      rules(`  - name: the rule\n${more}    on: ${on}\n    if: { author: alice }\n    then: { ${example(name)} }\n`)
    const issue = decidedBy(text('    for: issues\n', 'issue.update'), { ...ofIssue(opposite), events: [event] })
    const mergeEvent = { ...event, event: { ...event.event, kind: 'merge_request.update' } }
    const other = decidedBy(text('', 'merge_request.update'), { answers: answers(opposite), events: [mergeEvent] })
    expect(sent(issue).length).toBeGreaterThan(0)
    expect(sent(issue).map(([endpoint]) => endpoint)).toEqual(
      sent(other).map(([endpoint]) => endpoint.replace('mergeRequests', 'issues')),
    )
    for (const call of issue.calls) expect(call.params).toMatchObject({ id: 1, issue_iid: 7 })
  })
})
