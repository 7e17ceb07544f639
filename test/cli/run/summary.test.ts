// The summary of a run stands in the log of a job, which more people may read than the merge request.
import { wouldDo } from '../../../src/cli/run/summary.ts'
import { note } from '../../rules/over-time.ts'
import { answers, decided, file, input, rules } from '../../rules/world.ts'

test('values that only some may read, and names of the operator’s rules, are left out', () => {
  const rule =
    '  - name: ship it\n    on: note.create\n    if: { comment: { matches: "^ship" }, title: "two words" }\n    then: { accept: true }\n'
  const author = { id: 2, username: 'alice' }
  const secret = {
    'note@17': { ok: true, complete: true, body: { id: 17, body: 'hush', author, internal: true } },
  } as const
  const verdictOf = (trust: 'operator' | 'repository') => {
    const given = input([file(rules(rule), { trust })], { events: [note('d1')], answers: answers({}, secret) })
    return wouldDo({ project: 1, iid: 7 }, {}, { ok: true, decision: decided(given) }).verdict ?? ''
  }
  expect(verdictOf('repository')).toMatch(
    /^Not merged: comment is \(not shown here.*title is.*needs "two words".*rule "ship it"/,
  )
  expect(verdictOf('operator')).toContain('a rule of the operator or of another project')
  // The text of the operator's rule is private, too.
  expect(verdictOf('operator')).not.toContain('two words')
  for (const said of [verdictOf('repository'), verdictOf('operator')]) expect(said).not.toContain('hush')
})
