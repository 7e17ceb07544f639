// A rule test: what it compares, and what it says where it fails.
import { actions } from '../../../src/rules/actions/index.ts'
import { approve, docs, passes, run } from '../run-rule-test.ts'

const ofDocs = 'given: { changed_files: [docs/a.md] }'

describe('a rule test', () => {
  it('passes where the rules do just what is expected', () => {
    passes(docs, ofDocs, 'then: { label: { add: [documentation] } }')
    passes(docs, 'given: { changed_files: [src/a.ts] }', 'nothing: true', 'blocker: changed_files')
    for (const call of ['{ mergeRequests.update: { add_labels: documentation } }', 'mergeRequests.update'])
      passes(docs, ofDocs, `calls: [${call}]`)
    passes(docs, 'given: { changed_files: unknown }', 'blocker: { docs: changed_files }')
  })
  it('that names its rule runs as if there were no other', () => {
    const both = `${docs}  - name: all\n    if: { draft: false }\n    then: { approve: true }\n`
    passes(both, ofDocs, 'then: { label: { add: documentation }, approve: true }')
    passes(both, ofDocs, 'rule: docs', 'then: { label: { add: documentation } }')
    passes(both, 'rule: docs', 'nothing: true', 'blocker: changed_files')
    passes(both, ofDocs, 'rule: [docs, all]', 'then: { label: { add: documentation }, approve: true }')
    expect(run(both, ofDocs, 'rule: docs', 'then: { approve: true }').passed).toBe(false)
  })
  it('gives a text of the note that the event is about, which everybody may read', () => {
    const backport =
      'rules:\n  - name: backport\n    command: backport\n    if: { comment: { matches: "^@bellhop backport (?<branch>stable-[0-9.]+)$" } }\n    then: { label: { add: "backport::{{ branch }}" } }\n'
    const said = (words: string) => ['event: note.create', `comment: "@bellhop backport ${words}"`]
    passes(backport, ...said('stable-1.2'), 'then: { label: { add: "backport::stable-1.2" } }')
    passes(backport, ...said('main'), 'nothing: true', 'blocker: comment')
  })
  it('passes where more is done than it includes, and fails where less is done', () => {
    const more = `${docs}  - name: all\n    if: { draft: false }\n    then: { approve: true, label: { add: [seen, all] } }\n`
    for (const one of ['{ approve: true }', '{ label: { add: documentation } }', '{ label: { add: [all, seen] } }'])
      passes(more, ofDocs, `includes: ${one}`)
    expect(run(more, 'includes: { approve: true, label: { add: documentation } }')).toMatchObject({
      passed: false,
      expected: ['mergeRequests.approve', 'mergeRequests.update add_labels: "documentation"'].map((each) =>
        expect.stringContaining(each),
      ),
    })
  })
  it('fails with what was expected and what was found', () => {
    expect(run(docs, ofDocs, 'then: { label: { add: docs } }')).toMatchObject({
      passed: false,
      expected: ['mergeRequests.update add_labels: "docs"'],
      found: ['mergeRequests.update add_labels: "documentation"'],
    })
    expect(run(docs, ofDocs, 'nothing: true')).toMatchObject({
      passed: false,
      expected: ['nothing'],
    })
    const more = [
      'then: { label: { add: documentation }, subscribe: true }',
      'calls: [mergeRequests.update, mergeRequests.approve]',
    ]
    for (const expected of more) expect(run(docs, ofDocs, expected).passed).toBe(false)
  })
  it('says calls for an issue without its number, and compares them without it', () => {
    const label =
      'rules:\n  - name: door\n    for: issues\n    if: { title: door }\n    then: { label: { add: door } }\n'
    const given = ['for: issues', 'given: { title: door }']
    passes(label, ...given, 'calls: [{ issues.update: { add_labels: door } }]')
    expect(run(label, ...given, 'nothing: true').found).toEqual(['issues.update add_labels: "door"'])
  })
  it('fails with what stood in the way', () => {
    const { found, blockers } = run(docs, 'then: { label: { add: documentation } }')
    expect(found).toEqual(['nothing'])
    expect(blockers[1]).toContain('changed_files: expected all of "docs/**", actual "src/door.ts"')
  })
  it('fails for an expected action that could do nothing in that state', () => {
    const lines = [
      'given: { changed_files: [docs/a.md], labels: [documentation] }',
      'then: { label: { add: documentation } }',
    ]
    expect(run(docs, ...lines)).toMatchObject({
      passed: false,
      problems: ['label can do nothing here: nothing to do: the labels are already as requested'],
    })
  })
  it('fails for another blocker, and for a rule that nothing blocks', () => {
    expect(run(approve, 'given: { draft: true, lines_changed: 80 }', 'blocker: draft').problems).toEqual([
      'expected draft to block "small" first, found lines_changed: expected less than 50, actual 80; to fix: a number of changed lines of less than 50',
    ])
    expect(run(approve, 'blocker: draft').problems).toEqual(['expected draft to block "small" first, found nothing'])
  })
  it('tests what an observing rule decides', () => {
    passes(docs.replace('    if:', '    mode: observe\n    if:'), ofDocs, 'then: { label: { add: documentation } }')
  })
  it('is the same each time', () => {
    const lines = ['before: [{}]', 'given: { draft: true }', 'then: { unapprove: true }']
    expect(run(approve, ...lines)).toEqual(run(approve, ...lines))
  })
})

describe('an event', () => {
  const posts = 'notify: { to: team, text: Hello }'
  const tell = `rules:\n  - name: tell\n    on: [push, tag_push]\n    if: { ref: { glob: "v*" }, ref_change: { not: deleted } }\n    then: { ${posts} }\n`
  const follow =
    '  - name: follow\n    on: push\n    then: { subscribe: true }\n  - name: label\n    if: { author: alice }\n    then: { label: { add: x } }\n'
  it('of the project is evaluated for the project alone', () => {
    passes(`${tell}${follow}`, 'event: tag_push', 'ref: v1', 'ref_change: created', `then: { ${posts} }`)
    passes(tell, 'event: tag_push', 'ref: v1', 'ref_change: deleted', 'nothing: true', 'blocker: ref_change')
    passes(tell, 'event: tag_push', 'ref: x1', 'ref_change: created', 'nothing: true', 'blocker: ref')
    passes(tell, 'event: issue.open', 'nothing: true', 'blocker: on')
  })
  it('of the project may be what the test is for', () => {
    const red = `rules:\n  - name: red\n    for: project\n    on: pipeline.failed\n    then: { ${posts} }\n`
    passes(`${red}${follow}`, 'for: project', 'event: pipeline.failed', `then: { ${posts} }`)
    expect(() => passes(red, 'for: project', 'given: { draft: true }', 'event: push', 'nothing: true')).toThrow(
      'expected a fact of the event, the project or the clock',
    )
  })
  it('of both is evaluated for both', () => {
    const lines = ['event: push', 'ref: v2', 'ref_change: updated']
    passes(`${tell}${follow}`, ...lines, `then: { ${posts}, subscribe: true, label: { add: x } }`)
    expect(run(`${tell}${follow}`, ...lines, 'then: { subscribe: true, label: { add: x } }')).toMatchObject({
      passed: false,
      found: expect.arrayContaining(['chat.post text: "Hello" to: "team"']),
    })
  })
})

describe.each(Object.values(actions))('$name', (action) => {
  it('can be expected of a rule that does it', () => {
    const given: Record<string, string> = {
      unsubscribe: 'subscribed: true',
      reopen: 'state: closed',
      backport: 'state: merged',
      cancel_accept: 'merge_when_pipeline_succeeds: true',
      unapprove: 'approved_by_bot: true',
    }
    const isOnEvent = action.when === 'on_events'
    const onEvent = isOnEvent ? ['event: push'] : []
    const rules = `rules:\n  - name: the rule\n${isOnEvent ? '    on: push\n' : ''}    if: { author: alice }\n    then: { ${action.example} }\n`
    passes(rules, ...onEvent, `given: { ${given[action.name] ?? ''} }`, `then: { ${action.example} }`)
  })
})
