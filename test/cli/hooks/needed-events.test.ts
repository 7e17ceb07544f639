// The events that rules need.
import { allEvents, flagsOfKind, neededEvents } from '../../../src/cli/hooks/needed-events.ts'
import { ruleSet } from '../../../src/rules/engine/conditions/rules-in-force.ts'
import { isTriggered } from '../../../src/rules/engine/triggers.ts'
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { eventKinds, isEventOf } from '../../../src/rules/language/events.ts'
import { factsOf, file } from '../../rules/world.ts'

const fileOf = (rule: string) => file(`rules: [{ name: a, ${rule} }]`)

function needed(rule: string, includedFrom = false): string[] {
  const events = neededEvents(ruleSet([fileOf(rule)]).rules, { includedFrom })
  return Object.entries(events).flatMap(([flag, on]) => (on ? [flag.replace('_events', '')] : []))
}
const base = ['push', 'merge_requests', 'note']
const label = 'then: { label: { add: x } }'
const notify = 'then: { notify: { to: team, text: Hello } }'
const ofIssues = ['issues', 'confidential_issues', 'confidential_note']

describe('the events that a rule needs', () => {
  test.each([
    ['what shows in the merge request itself', `if: { labels: { any: [x] }, title: y, author: z }, ${label}`, []],
    ['an age', `if: { inactive_for: { older_than: 30d } }, ${label}`, []],
    ['the pipeline', `if: { pipeline: success }, ${label}`, ['pipeline']],
    ['the pipeline, inside', `if: { any: [{ not: { pipeline: success } }, { title: x }] }, ${label}`, ['pipeline']],
    ['a merge', 'if: { title: x }, then: { accept: true }', ['pipeline']],
    ['a text that names the pipeline', 'if: { title: x }, then: { comment: "It is {{ pipeline }}" }', ['pipeline']],
    ['a status, which others may set', 'if: { title: x }, then: { status: { name: a } }', ['pipeline']],
    ['an event of pipelines', `on: pipeline.failed, ${label}`, ['pipeline']],
    ['events of the wiki', `on: [issue.*, wiki_page.create], ${notify}`, ['confidential_issues', 'issues', 'wiki']],
    ['votes', `if: { upvotes: { at_least: 2 }, title: x }, ${label}`, ['emoji']],
    ['a text that names votes', 'if: { title: x }, then: { comment: "{{ downvotes }} against" }', ['emoji']],
    ['an event of emojis', `on: emoji.award, ${label}`, ['emoji']],
    [
      'events of releases, deployments, milestones and tokens',
      `on: [release.*, deployment.failed, milestone.close, access_token.expiring], ${notify}`,
      ['releases', 'deployment', 'milestone', 'resource_access_token'],
    ],
    ['a tag', `on: tag_push, ${notify}`, ['tag_push']],
    ['a note', `on: note.create, command: go, ${label}`, ['confidential_note']],
    ['a merge train', `if: { merge_train: stale }, ${label}`, ['pipeline']],
    ['issues', `for: issues, if: { state: opened }, ${label}`, ['issues', 'confidential_issues']],
    ['what notes of issues name', `for: issues, if: { related_merge_requests: { none: "*" } }, ${label}`, ofIssues],
    [
      'notes and votes of issues',
      `for: issues, if: { inactive_for: { older_than: 30d }, user_notes_count: 1, upvotes: 1 }, ${label}`,
      [...ofIssues, 'emoji'],
    ],
    ['a command on issues', `for: issues, command: go, ${label}`, ofIssues],
    ['nothing, as it is off', `mode: off, if: { pipeline: success }, ${label}`, []],
  ])('of a rule about %s', (_name, rule, more) => {
    expect(needed(rule).sort()).toEqual([...base, ...more].sort())
  })

  test.each([
    ['merge_request', '', { project: 1, iid: 7 }],
    ['issue', 'for: issues, ', issueRef(1, 7)],
  ] as const)('of a rule on any fact of a %s: all that intake does not leave out', (subject, prefix, ref) => {
    const kinds = eventKinds.filter((kind) => isEventOf(kind, subject))
    for (const [name, { example, ofEvents }] of factsOf(subject)) {
      const on = ofEvents === true ? `on: [${kinds.join(', ')}], ` : ''
      const rule = `${prefix}${on}if: { ${example} }, ${label}`
      const files = [fileOf(rule)]
      const isNeeded = (kind: string) => {
        const event = { kind, actor: {}, at: '2026-01-11T00:00:00Z', note: { id: 1, mentions: false } }
        return isTriggered({ files }, event, { ref, keeps: false })
      }
      const flags = kinds.filter(isNeeded).flatMap((kind) => flagsOfKind[kind.split('.')[0] ?? kind] ?? [])
      // Notes on merge requests are confidential only where they are commands.
      const expected = flags.filter((flag) => subject === 'issue' || ofEvents || flag !== 'confidential_note_events')
      expect(needed(rule), name).toEqual(expect.arrayContaining(expected.map((flag) => flag.replace('_events', ''))))
    }
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
