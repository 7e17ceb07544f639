// Mistakes that people who know the service or another bot make: each is named with its place and the right word first.

import { expect, test } from 'vitest'
import { actions } from '../../../src/rules/actions/index.ts'
import { formatProblem, readRules } from '../../../src/rules/language/documents/rule-document.ts'
import { formatWarning, warningsOf } from '../../../src/rules/lint/warnings.ts'

function check(text: string): string[] {
  const read = readRules(text, 'f', { trust: 'repository' })
  return read.ok ? warningsOf(text, read.rules).map(formatWarning) : read.problems.map(formatProblem)
}
const rule = (condition: string, then = '{ todo: true }') =>
  `version: 1\nrules:\n  - name: a\n    if: ${condition}\n    then: ${then}\n`
const when = (condition: string) => rule(`{ ${condition} }`)
const then = (action: string) => rule('{ draft: false }', `{ ${action} }`)

const landing = (land: string, accept: string) =>
  then(`accept: ${accept}`).replace('rules:', `queues: [{ name: main, target: main, land: ${land} }]\nrules:`)

const aPath = 'expected a path without / or ./ at its start and without / at its end'
const withSlashes = 'expected a path with / between its folders'
const withoutSpaces = 'expected a path without spaces at its ends'
const aName = 'expected a user name without @'
const names = Object.keys(actions)
const anAction = `expected one of the keys ${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
const aFact = 'expected the name of a fact, or all, any, not, use'
const aStatus = 'expected one of none, created, waiting_for_resource, preparing, waiting_for_callback and 9 more'

test.each([
  // Paths that no file and no branch has.
  [
    when('changed_files: { any: "/web/**" }'),
    `4:33: rules[0].if.changed_files.any: did you mean "web/**"? Found "/web/**", ${aPath}`,
  ],
  [
    when('changed_files: { none: [a, "web/"] }'),
    `4:38: rules[0].if.changed_files.none[1]: did you mean "web/**"? Found "web/", ${aPath}`,
  ],
  [
    when('changed_files: "./web/**"'),
    `4:26: rules[0].if.changed_files: did you mean "web/**"? Found "./web/**", ${aPath}`,
  ],
  [
    when('changed_files: { any: "{/web/**,/api/**}" }'),
    `4:33: rules[0].if.changed_files.any: did you mean "{web/**,api/**}"? Found "{/web/**,/api/**}", ${aPath}`,
  ],
  [
    when('changed_files: "{./web,./api}/**"'),
    `4:26: rules[0].if.changed_files: did you mean "{web/**,api/**}"? Found "{./web,./api}/**", ${aPath}`,
  ],
  [
    when('changed_files: "web\\\\**"'),
    `4:26: rules[0].if.changed_files: did you mean "web/**"? Found "web\\\\**", ${withSlashes}`,
  ],
  [
    when('changed_files: " web/**"'),
    `4:26: rules[0].if.changed_files: did you mean "web/**"? Found " web/**", ${withoutSpaces}`,
  ],
  [
    when('source_branch: { glob: "release/* " }'),
    `4:34: rules[0].if.source_branch.glob: did you mean "release/*"? Found "release/* ", ${withoutSpaces}`,
  ],
  [
    when('changed_files: { all: "/" }'),
    `4:33: rules[0].if.changed_files.all: expected a path without / or ./ at its start and without / at its end, found "/"`,
  ],
  [
    when('target_branch: { not: /main }'),
    `4:33: rules[0].if.target_branch.not: did you mean "main"? Found "/main", ${aPath}`,
  ],
  [
    when('source_branch: "/^renovate/i"'),
    `4:26: rules[0].if.source_branch: did you mean { matches: "(?i)^renovate" }? Found "/^renovate/i", ${aPath}`,
  ],
  // Wildcards where whole values are compared.
  [
    when('source_branch: "renovate/*"'),
    '4:26: rules[0].if.source_branch: did you mean { glob: "renovate/*" }? Found "renovate/*", expected a whole name',
  ],
  [
    when('author: [alice, "*-bot"]'),
    '4:27: rules[0].if.author[1]: did you mean { glob: ["alice","*-bot"] }? Found "*-bot", expected a whole name',
  ],
  // People and labels.
  [when('author: "@alice"'), `4:19: rules[0].if.author: did you mean "alice"? Found "@alice", ${aName}`],
  [
    when('assignees: { none: ["@alice"] }'),
    `4:31: rules[0].if.assignees.none[0]: did you mean "alice"? Found "@alice", ${aName}`,
  ],
  [then('assign: "@alice"'), '5:21: rules[0].then.assign: did you mean "alice"? Found "@alice", expected a user name'],
  [
    when('labels: [" docs"]'),
    '4:20: rules[0].if.labels[0]: did you mean "docs"? Found " docs", expected a label without spaces at its ends',
  ],
  [
    then('label: { add: "docs " }'),
    '5:27: rules[0].then.label.add: did you mean "docs"? Found "docs ", expected a label without commas or spaces at its ends',
  ],
  // Words of the service and of other bots.
  [when('pipeline: passed'), `4:21: rules[0].if.pipeline: did you mean "success"? Found "passed", ${aStatus}`],
  [
    when('approvals: 2'),
    `4:11: rules[0].if.approvals: did you mean "approvals_given"? Found the unknown key "approvals", ${aFact}`,
  ],
  [
    when('size: { at_most: 9 }'),
    `4:11: rules[0].if.size: did you mean "lines_changed"? Found the unknown key "size", ${aFact}`,
  ],
  [when('autor: alice'), `4:11: rules[0].if.autor: did you mean "author"? Found the unknown key "autor", ${aFact}`],
  [then('merge: true'), `5:13: rules[0].then.merge: did you mean "accept"? Found the unknown key "merge", ${anAction}`],
  [
    then('assign_reviewers: alice'),
    `5:13: rules[0].then.assign_reviewers: did you mean "review"? Found the unknown key "assign_reviewers", ${anAction}`,
  ],
  [
    then('labels: docs'),
    `5:13: rules[0].then.labels: did you mean "label"? Found the unknown key "labels", ${anAction}`,
  ],
  // What may be meant is a warning.
  [
    when('title: "/fix/i"'),
    '4:18: warning: rules[0].if.title: did you mean { matches: "(?i)fix" }? "/fix/i" is compared as a whole text',
  ],
  [
    when('title: { matches: "/^fix|feat/" }'),
    '4:29: warning: rules[0].if.title.matches: did you mean { matches: "^fix|feat" }? "/^fix|feat/" matches the slashes too',
  ],
  [
    `version: 1\ndefs:\n  fix: { title: "/fix/i" }\n${when('use: fix').replace('version: 1\n', '')}`,
    '3:17: warning: defs.fix.title: did you mean { matches: "(?i)fix" }? "/fix/i" is compared as a whole text',
  ],
  // What the merge queue of the rule does not apply.
  [
    landing('push', '{ queue: main, remove_source_branch: true }'),
    '6:36: warning: rules[0].then.accept.remove_source_branch: has no effect: the queue "main" (line 2) lands by a push, which removes no source branch',
  ],
  // A status that is part of what its rule waits for.
  ...['pipeline: success', 'any: [{ mergeability: mergeable }]'].map((condition) => [
    rule(`{ ${condition} }`, '{ status: { name: bellhop/policy } }'),
    `5:13: warning: rules[0].then.status: never becomes success by itself: the status is part of the pipeline, and ${condition.startsWith('any') ? 'mergeability' : 'pipeline'} waits for that`,
  ]),
  // The word of a fork, without anybody's consent.
  ...[
    ['{ pipeline: { of_fork: success } }', '{ approve: true }', 'approve'],
    ['{ author: alice }', '{ accept: { pipeline: of_fork } }', 'accept'],
  ].map(([condition = '', then = '', action]) => [
    rule(condition, then),
    `5:13: warning: rules[0].then.${action}: takes the pipeline of the fork too (of_fork): its author decides what that tests, and can post a success there. Require an approval by a member, such as approved_by`,
  ]),
  ['', '1:1: warning: the file is empty: expected version and rules'],
  [when('draft: false').replace('version: 1\n', ''), '1:1: warning: the file names no version: expected "version: 1"'],
])('%s', (text, message) => {
  expect(check(text)).toEqual([`f:${message}`])
})

test.each([
  when('changed_files: { any: ["**", "*.md", "web/**", "a/b"] }'),
  when(
    'changed_files: { any: ["{web,api}/**", "{web,./api}/**", "**/{a,b}.ts", "docs\\\\[1\\\\]/**", "a b/c", "a\\\\.md", "\\\\*.md"] }',
  ),
  when('title: "feat: add /v1/users/"'),
  rule('{ pipeline: { of_fork: success }, approvals_given: { at_least: 1 } }', '{ accept: true }'),
  rule('{ pipeline: { of_fork: failed } }', '{ label: { add: red } }'),
  when('source_branch: { glob: ["renovate/*", "main"], matches: "^x/" }'),
  when('author: { glob: "*-bot", matches: "^@?renovate" }'),
  when('labels: { none: ["blocked::*", "two words"] }'),
  landing('push', '{ queue: main, remove_source_branch: false }'),
  landing('push', '{ queue: main }'),
  landing('push', '{ remove_source_branch: true }'),
  landing('accept', '{ queue: main, remove_source_branch: true }'),
])('nothing is said of %s', (text) => {
  expect(check(text)).toEqual([])
})
