// Which events of rules a run without hooks does not see.
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'
import { unseenWithoutHooks } from '../../../src/rules/lint/without-hooks.ts'

function findings(on: string) {
  const then = 'then: { label: { add: x } }'
  const text = `version: 1\nrules:\n  - { name: seen, command: merge, ${then} }\n  - { name: r, ${on}, ${then} }\n`
  const read = readRules(text, '.bellhop.yml', { trust: 'repository' })
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'))
  return unseenWithoutHooks(read.rules)
}

test.each([
  'on: note.create',
  'on: [merge_request.open, merge_request.merge, merge_request.close, pipeline.failed]',
  'on: { merge_request.update: { changed: [labels] } }',
  'if: { draft: false }',
])('%s is seen', (on) => {
  expect(findings(on)).toEqual([])
})

test.each([
  ['on: note.update', 'note.update: bellhop run does not see it: only hooks tell'],
  ['on: emoji.award', 'emoji.award: bellhop run does not see it: only hooks tell'],
  ['on: merge_request.approved', 'merge_request.approved: bellhop run does not see it: only hooks tell'],
  ['on: note.*', 'note.*: bellhop run sees only note.create'],
  ['on: merge_request.update', 'merge_request.update: bellhop run sees only changes of labels'],
  [
    'on: { merge_request.update: { changed: [labels, title] } }',
    'merge_request.update: bellhop run sees only changes of labels',
  ],
])('%s is not', (on, message) => {
  expect(findings(on)).toEqual([{ path: ['rules', 1, 'on'], message }])
})
