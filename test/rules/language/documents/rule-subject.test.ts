// A rule acts on merge requests or on the project: what check says where it requests both, or for what its events do not have.
import { describe, expect, it } from 'vitest'
import { problemsIn } from '../../world.ts'

const problemsOf = (...lines: string[]) => {
  return problemsIn(
    ['rules:', '  - name: a', ...lines.map((line) => `    ${line}`)].join('\n'),
    '.bellhop.yml',
    'repository',
  )
}

describe('a rule that acts on the project', () => {
  it.each([
    ['on: push', 'then: { mirror_pull: true }'],
    ['on: [tag_push, "issue.*", wiki_page.create, merge_request.merge]', 'then: { star: true, housekeeping: true }'],
    [
      'on: { tag_push: }',
      'if: { ref: { glob: "v*" }, ref_change: created, actor: alice, group: hotel }',
      'then: { housekeeping: true }',
    ],
    [
      'on: tag_push',
      'if: { actor_access: { at_least: maintainer }, clock: { days: [sat] } }',
      'then: { housekeeping: true }',
    ],
  ])('%s is fine', (...lines) => {
    expect(problemsOf(...lines)).toEqual([])
  })
  it('is for events', () => {
    expect(problemsOf('if: { group: hotel }', 'then: { star: true }')).toEqual([
      '.bellhop.yml:4:13: rules[0].then.star: expected a rule with on:, which acts once for each event, found star in a rule without on:',
    ])
  })
  it('does nothing to merge requests besides', () => {
    expect(problemsOf('on: push', 'then: { label: { add: x }, star: true }')).toEqual([
      '.bellhop.yml:4:32: rules[0].then.star: expected a rule of its own for what is done to the project, found star next to label, which is done to a merge request',
    ])
  })
  it('requests no fact of a merge request, wherever it stands', () => {
    expect(problemsOf('on: push', 'if: { labels: [x] }', 'then: { star: true }')).toEqual([
      '.bellhop.yml:4:11: rules[0].if.labels: expected facts of the event, the project or the clock, because star is done to the project, found labels, which is of a merge request',
    ])
    expect(
      problemsOf('on: push', 'if: { any: [{ actor: a }, { not: { draft: true } }] }', 'then: { star: true }'),
    ).toEqual([
      expect.stringMatching(
        /^\.bellhop\.yml:4:5: rules\[0\]\.if: expected .* found draft, which is of a merge request$/,
      ),
    ])
  })
  it('hears no command', () => {
    expect(problemsOf('command: tidy', 'then: { housekeeping: true }')[0]).toMatch(
      /^\.bellhop\.yml:3:5: rules\[0\]\.command: expected on: with an event/,
    )
  })
})

describe('a rule for an event without a merge request', () => {
  it.each(['tag_push', 'issue.*', 'issue.open', 'wiki_page.update'])('%s does nothing to merge requests', (kind) => {
    expect(problemsOf(`on: [push, ${kind}]`, 'then: { label: { add: x } }')).toEqual([
      `.bellhop.yml:4:13: rules[0].then.label: expected what is done to the project (housekeeping, mirror_pull, star), because ${kind} is about no merge request, found label`,
    ])
  })
  it.each(['push', 'merge_request.open', 'note.create', 'pipeline.*'])('%s may have one', (kind) => {
    expect(problemsOf(`on: ${kind}`, 'then: { label: { add: x } }')).toEqual([])
  })
})
