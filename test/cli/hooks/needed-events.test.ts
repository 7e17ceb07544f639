// The events that rules need.
import { describe, expect, test } from 'vitest'
import { allEvents, flagsOfKind, neededEvents } from '../../../src/cli/hooks/needed-events.ts'
import { ruleSet } from '../../../src/rules/engine/conditions/rules-in-force.ts'
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'
import { eventKinds } from '../../../src/rules/language/events.ts'

function needed(rule: string, includedFrom = false): string[] {
  const read = readRules(`version: 1\nrules: [{ name: a, ${rule} }]`, 'r.yml', { trust: 'operator' })
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'))
  const { rules } = ruleSet([{ rules: read.rules, path: 'r.yml', blob: null, trust: 'operator', broken: false }])
  const events = neededEvents(rules, { includedFrom })
  return Object.entries(events).flatMap(([flag, on]) => (on ? [flag.replace('_events', '')] : []))
}
const base = ['push', 'merge_requests', 'note']
const label = 'then: { label: { add: x } }'

describe('the events that a rule needs', () => {
  test.each([
    ['what shows in the merge request itself', `if: { labels: { any: [x] }, title: y, author: z }, ${label}`, []],
    ['an age', `if: { inactive_for: { older_than: 30d } }, ${label}`, []],
    ['the pipeline', `if: { pipeline: success }, ${label}`, ['pipeline']],
    [
      'the pipeline, inside not and any',
      `if: { any: [{ not: { pipeline: success } }, { title: x }] }, ${label}`,
      ['pipeline'],
    ],
    ['a merge', 'if: { title: x }, then: { accept: true }', ['pipeline']],
    ['a text that names the pipeline', 'if: { title: x }, then: { comment: "It is {{ pipeline }}" }', ['pipeline']],
    ['a status, which others may set', 'if: { title: x }, then: { status: { name: a } }', ['pipeline']],
    ['an event of pipelines', `on: pipeline.failed, ${label}`, ['pipeline']],
    [
      'events of issues and the wiki',
      'on: [issue.*, wiki_page.create], then: { notify: { to: team, text: Hello } }',
      ['confidential_issues', 'issues', 'wiki'],
    ],
    ['votes', `if: { upvotes: { at_least: 2 }, title: x }, ${label}`, ['emoji']],
    ['a text that names votes', 'if: { title: x }, then: { comment: "{{ downvotes }} against" }', ['emoji']],
    ['an event of emojis', `on: emoji.award, ${label}`, ['emoji']],
    [
      'events of releases, deployments, milestones and tokens',
      'on: [release.*, deployment.failed, milestone.close, access_token.expiring], then: { notify: { to: team, text: Hello } }',
      ['releases', 'deployment', 'milestone', 'resource_access_token'],
    ],
    ['a tag', 'on: tag_push, then: { notify: { to: team, text: Hello } }', ['tag_push']],
    ['a note', `on: note.create, command: go, ${label}`, ['confidential_note']],
    ['issues', `for: issues, if: { state: opened }, ${label}`, ['issues', 'confidential_issues']],
    [
      'what shows in no event of issues',
      `for: issues, if: { related_merge_requests: { none: "*" } }, ${label}`,
      ['issues', 'confidential_issues'],
    ],
    [
      'notes and votes of issues',
      `for: issues, if: { inactive_for: { older_than: 30d }, user_notes_count: 1, upvotes: 1 }, ${label}`,
      ['issues', 'confidential_issues', 'confidential_note', 'emoji'],
    ],
    [
      'a command on issues',
      `for: issues, command: go, ${label}`,
      ['issues', 'confidential_issues', 'confidential_note'],
    ],
    ['nothing, as it is off', 'mode: off, if: { pipeline: success }, then: { label: { add: x } }', []],
  ])('of a rule about %s', (_name, rule, more) => {
    expect(needed(rule).sort()).toEqual([...base, ...more].sort())
  })

  test('of a project whose files others may include: tags as well, by which they may be pinned', () => {
    expect(needed(`if: { title: x }, ${label}`, true)).toContain('tag_push')
  })

  test.each(eventKinds.map((kind) => [kind]))('of a rule on %s: some flag that the service knows', (kind) => {
    expect(flagsOfKind).toHaveProperty([kind.split('.')[0] ?? kind])
  })

  test('Bellhop reads all events but those of jobs', () => {
    expect(Object.entries(allEvents).filter(([, on]) => !on)).toEqual([['job_events', false]])
  })
})
