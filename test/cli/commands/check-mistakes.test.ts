// Mistakes of people who know other tools: what `bellhop check` says of each, with the right word first.
import { join } from 'node:path'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere, type Ran } from '../run-here.ts'

const rule = (condition: string, action: string) =>
  `version: 1\nrules:\n  - name: a\n    if: { ${condition} }\n    then: { ${action} }\n`
const when = (condition: string) => rule(condition, 'todo: true')
const then = (action: string) => rule('draft: false', action)

const glob = '4:33: rules[0].if.changed_files.any: did you mean "web/**"?'

const mistakes: [name: string, text: string, says: string][] = [
  ['/web/**', when('changed_files: { any: "/web/**" }'), glob],
  ['web/', when('changed_files: { any: "web/" }'), glob],
  ['./web/**', when('changed_files: { any: "./web/**" }'), glob],
  ['@alice', when('author: "@alice"'), '4:19: rules[0].if.author: did you mean "alice"?'],
  ['a label with spaces', when('labels: [" docs "]'), '4:20: rules[0].if.labels[0]: did you mean "docs"?'],
  ['a space after a label', then('label: { add: "docs " }'), '5:27: rules[0].then.label.add: did you mean "docs"?'],
  ['/regex/i', when('title: "/fix/i"'), '4:18: warning: rules[0].if.title: did you mean { matches: "(?i)fix" }?'],
  ['an empty file', '', '1:1: warning: the file is empty: expected version and rules'],
  ['no version', when('draft: false').slice(11), '1:1: warning: the file names no version: expected "version: 1"'],
  ['pipeline: passed', when('pipeline: passed'), '4:21: rules[0].if.pipeline: did you mean "success"?'],
  ['merge:', then('merge: true'), '5:13: rules[0].then.merge: did you mean "accept"?'],
  ['approvals: as an action', then('approvals: 1'), '5:13: rules[0].then.approvals: did you mean "approve"?'],
  ['approvals:', when('approvals: 2'), '4:11: rules[0].if.approvals: did you mean "approvals_given"?'],
  ['size:', when('size: { at_most: 9 }'), '4:11: rules[0].if.size: did you mean "lines_changed"?'],
  ['reviewers', then('assign_reviewers: alice'), '5:13: rules[0].then.assign_reviewers: did you mean "review"?'],
  ['autor', when('autor: alice'), '4:11: rules[0].if.autor: did you mean "author"?'],
  ['{{ autor }}', then('comment: "Hello {{ autor }}"'), '5:22: rules[0].then.comment: did you mean "author"?'],
]

const { folder, write } = ownFolder()
const pathOf = (index: number) => join(folder, `${index}.yml`)

let ran: Ran
beforeAll(async () => {
  for (const [index, [, text]] of mistakes.entries()) write(`${index}.yml`, text)
  ran = await bellhopHere(['check', ...mistakes.map((_, index) => pathOf(index))])
})

test('each mistake is one line, on standard output', () => {
  expect([ran.code, ran.err]).toEqual([1, ''])
  expect(ran.out.trimEnd().split('\n')).toHaveLength(mistakes.length)
})

test.each(mistakes.map(([name, , says], index) => ({ name, says, index })))('$name', ({ says, index }) => {
  expect(ran.out.split('\n').filter((line) => line.startsWith(`${pathOf(index)}:${says}`))).toHaveLength(1)
})
