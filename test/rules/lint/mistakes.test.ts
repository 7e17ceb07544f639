// Mistakes that people who know the service or another bot make: each is named with its place and the right word first.

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
const aWholeName = 'expected a whole name'
const names = Object.keys(actions)
const anAction = `expected one of the keys ${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
const aFact = 'expected the name of a fact, or all, any, not, use'
const aStatus = 'expected one of none, created, waiting_for_resource, preparing, waiting_for_callback and 9 more'

/** A problem at the value or key of a condition or an action. */
const meant = (place: string, near: string, found: string, expected: string) =>
  `${place}: did you mean ${near}? Found ${found}, ${expected}`
const [ofIf, ofThen] = ['rules[0].if.', 'rules[0].then.']
/** What is written in a condition, where, what was probably meant instead of what, and what was expected. */
const conditions: [string, string, string, string, string][] = [
  // Paths that no file and no branch has.
  ['changed_files: { any: "/web/**" }', `4:33: ${ofIf}changed_files.any`, '"web/**"', '"/web/**"', aPath],
  ['changed_files: { none: [a, "web/"] }', `4:38: ${ofIf}changed_files.none[1]`, '"web/**"', '"web/"', aPath],
  ['changed_files: "./web/**"', `4:26: ${ofIf}changed_files`, '"web/**"', '"./web/**"', aPath],
  [
    'changed_files: { any: "{/web/**,/api/**}" }',
    `4:33: ${ofIf}changed_files.any`,
    '"{web/**,api/**}"',
    '"{/web/**,/api/**}"',
    aPath,
  ],
  ['changed_files: "{./web,./api}/**"', `4:26: ${ofIf}changed_files`, '"{web/**,api/**}"', '"{./web,./api}/**"', aPath],
  ['changed_files: "web\\\\**"', `4:26: ${ofIf}changed_files`, '"web/**"', '"web\\\\**"', withSlashes],
  ['changed_files: " web/**"', `4:26: ${ofIf}changed_files`, '"web/**"', '" web/**"', withoutSpaces],
  ['source_branch: { glob: "r/* " }', `4:34: ${ofIf}source_branch.glob`, '"r/*"', '"r/* "', withoutSpaces],
  ['target_branch: { not: /main }', `4:33: ${ofIf}target_branch.not`, '"main"', '"/main"', aPath],
  ['source_branch: "/^re/i"', `4:26: ${ofIf}source_branch`, '{ matches: "(?i)^re" }', '"/^re/i"', aPath],
  // Wildcards where whole values are compared.
  ['source_branch: "re/*"', `4:26: ${ofIf}source_branch`, '{ glob: "re/*" }', '"re/*"', aWholeName],
  ['author: [alice, "*-bot"]', `4:27: ${ofIf}author[1]`, '{ glob: ["alice","*-bot"] }', '"*-bot"', aWholeName],
  // People and labels.
  ['author: "@alice"', `4:19: ${ofIf}author`, '"alice"', '"@alice"', aName],
  ['assignees: { none: ["@alice"] }', `4:31: ${ofIf}assignees.none[0]`, '"alice"', '"@alice"', aName],
  ['labels: [" docs"]', `4:20: ${ofIf}labels[0]`, '"docs"', '" docs"', 'expected a label without spaces at its ends'],
  // Words of the service and of other bots.
  ['pipeline: passed', `4:21: ${ofIf}pipeline`, '"success"', '"passed"', aStatus],
  ['approvals: 2', `4:11: ${ofIf}approvals`, '"approvals_given"', 'the unknown key "approvals"', aFact],
  ['size: { at_most: 9 }', `4:11: ${ofIf}size`, '"lines_changed"', 'the unknown key "size"', aFact],
  ['autor: alice', `4:11: ${ofIf}autor`, '"author"', 'the unknown key "autor"', aFact],
]
const requests: [string, string, string, string, string][] = [
  ['assign: "@alice"', '5:21: rules[0].then.assign', '"alice"', '"@alice"', 'expected a user name'],
  [
    'label: { add: "docs " }',
    `5:27: ${ofThen}label.add`,
    '"docs"',
    '"docs "',
    'expected a label without commas or spaces at its ends',
  ],
  ['merge: true', `5:13: ${ofThen}merge`, '"accept"', 'the unknown key "merge"', anAction],
  [
    'assign_reviewers: a',
    `5:13: ${ofThen}assign_reviewers`,
    '"review"',
    'the unknown key "assign_reviewers"',
    anAction,
  ],
  ['labels: docs', `5:13: ${ofThen}labels`, '"label"', 'the unknown key "labels"', anAction],
]

test.each([
  ...conditions.map(([text, ...said]) => [when(text), meant(...said)]),
  ...requests.map(([text, ...said]) => [then(text), meant(...said)]),
  [when('changed_files: { all: "/" }'), `4:33: ${ofIf}changed_files.all: ${aPath}, found "/"`],
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
  // What is merged is inactive too.
  [
    rule('{ inactive_for: { older_than: 30d } }', '{ comment: Is it still wanted? }'),
    '4:5: warning: rules[0].if: acts on what is merged or closed, too: add state: opened',
  ],
  // The word of a fork, without anybody's consent.
  ...[
    ['{ pipeline: { of_fork: success } }', '{ approve: true }', 'approve'],
    ['{ draft: false }', '{ accept: { pipeline: of_fork } }', 'accept'],
  ].map(([condition = '', then = '', action]) => [
    rule(condition, then),
    `5:13: warning: rules[0].then.${action}: takes the pipeline of the fork too (of_fork): its author decides what that tests, and can post a success there. Require an approval by a member, such as approved_by`,
  ]),
  // Who opened it is not who pushed.
  ...[
    ['{ author: [renovate-bot], pipeline: success }', '{ accept: true }', 'accept'],
    ['{ any: [{ author: { glob: "*-bot" } }, { draft: false }] }', '{ approve: true }', 'approve'],
  ].map(([condition = '', then = '', action]) => [
    rule(condition, then),
    `5:13: warning: rules[0].then.${action}: trusts the author, but anybody who may push to the branch can add to it. Require pushed_by too`,
  ]),
  // Approvals that count only because the rule says so.
  ...[
    ['{ approved_by: { any: [bob], author: counts } }', 'of its author (author: counts)'],
    [
      '{ any: [{ draft: true }, { approvals_given: { at_least: 1, stale: counts, pushers: counts } }] }',
      'of people who pushed to it (pushers: counts) or of earlier content (stale: counts)',
    ],
  ].map(([condition = '', whose]) => [
    rule(condition, '{ accept: { queue: main } }'),
    `5:13: warning: rules[0].then.accept: merges by approvals ${whose}: they need not be the consent of another person to what is merged`,
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
  rule('{ author: alice, pushed_by: { all: [alice] } }', '{ accept: true }'),
  rule('{ author: alice, approved_by: bob }', '{ approve: true }'),
  rule('{ author: { not: mallory } }', '{ accept: true }'),
  rule('{ approved_by: { any: [bob], stale: counts } }', '{ label: { add: a } }'),
  rule('{ draft: false, not: { approved_by: { any: [bob], author: counts } } }', '{ accept: true }'),
  rule('{ author: alice }', '{ label: { add: a } }'),
  rule('{ state: opened, inactive_for: { older_than: 30d } }', '{ label: { add: stale } }'),
  rule('{ inactive_for: { older_than: 1d } }', '{ accept: true }'),
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
