// The JSON Schema of rule files: the same verdict as check, as far as a schema can tell.
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { actions } from '../../../../src/rules/actions/index.ts'
import { factHolders } from '../../../../src/rules/language/conditions.ts'
import { readRules } from '../../../../src/rules/language/documents/rule-document.ts'
import { ruleFileSchema } from '../../../../src/rules/language/schema/rule-file.ts'
import type { Subject } from '../../../../src/rules/language/values/rule-types.ts'
import { factsOf } from '../../world.ts'

const root = new URL('../../../../', import.meta.url)
const schema = ruleFileSchema()
const takes = new Ajv2020({ allowUnionTypes: true }).compile(schema)
const bySchema = (text: string) => takes(parse(text))
const byCheck = (text: string) => readRules(text, 'f.yml', { trust: 'operator' }).ok

const onState = (conditions: string, actions: string) =>
  `rules:\n  - name: a\n    if: ${conditions}\n    then: ${actions}\n`
const onEvent = (events: string, actions: string, more = '') =>
  `rules:\n  - name: a\n    on: ${events}\n${more}    then: ${actions}\n`
const tell = '{ notify: { to: team, text: Hello } }'
const doing = (actions: string) => onState('{ state: opened }', actions)
const when = (conditions: string) => onState(conditions, '{ subscribe: true }')

/** One rule with these lines, each ended by a line feed. */
const withLines = (...lines: string[]) => `rules:\n  - name: a\n${lines.map((line) => `    ${line}\n`).join('')}`
const always = ['if: { draft: true }', 'then: { subscribe: true }']
const shipped = ['rules/', 'rules/examples/'].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.yml') && !name.endsWith('.test.yml'))
    .map((name) => `${folder}${name}`),
)

describe('what check takes, the schema takes:', () => {
  it.each(shipped)('%s', (path) => {
    const text = readFileSync(new URL(path, root), 'utf8')
    expect([byCheck(text), bySchema(text)]).toEqual([true, true])
  })
  it.each(factsOf('merge_request'))('the example of the fact %s', (_name, { example, ofEvents }) => {
    const text =
      ofEvents === true
        ? onEvent('note.create', '{ subscribe: true }', `    if: { ${example} }\n`)
        : onState(`{ ${example} }`, '{ subscribe: true }')
    expect([byCheck(text), bySchema(text)]).toEqual([true, true])
  })
  it.each(Object.entries<{ example: string; when?: unknown }>(actions))(
    'the example of %s',
    (_name, { example, when }) => {
      const text = when === 'on_events' ? onEvent('push', `{ ${example} }`) : doing(`{ ${example} }`)
      expect([byCheck(text), bySchema(text)]).toEqual([true, true])
    },
  )
  it.each([
    ['an empty file', ''],
    ['rules that are none', 'rules:'],
    [
      'modes and projects',
      'mode: observe\nprojects: ["hotel/*"]\nrules:\n  - name: a\n    mode: off\n    if: { draft: true }\n    then: { review: [a] }\n',
    ],
    ['a command', withLines('command: merge', 'then: { accept: true }')],
    ['a command with its event', withLines('on: [note.create]', 'command: merge', 'then: { accept: true }')],
    [
      'an event with the fields that changed',
      onEvent('{ merge_request.update: { changed: labels }, push: null }', '{ spend: 1h 30m }'),
    ],
    ['every event of a kind', onEvent('["merge_request.*", pipeline.failed]', '{ label: { set: [a, b] } }')],
    ['a post for the project', onEvent('["issue.*", tag_push]', tell, '    if: { ref: v1, group: a }\n')],
    ['a post for the project with a filter', onEvent('{ issue.update: { changed: [labels] }, push: }', tell)],
    [
      'nested conditions',
      when('{ all: [{ any: [{ draft: true }, { not: { author: alice } }] }, { labels: { not: [a] } }] }'),
    ],
    ['a list with an expression', when('{ labels: [a, { matches: "^b" }] }')],
    ['an amount and its range', when('{ commits_count: { at_least: 2, less_than: 9 }, upvotes: [1, 2] }')],
    ['nobody', onState('{ assignee: null, milestone: [null, "17.0"] }', '{ assign: null, milestone: null }')],
    ['windows of the clock', when('{ clock: { not: [{ days: fri, hours: "22:00-24:00" }, { from: 2026-12-20 }] } }')],
    ['a note for a while', doing('{ comment: { while: "{{ author }}" } }')],
    ['a label for a while', doing('{ label: { while: a, remove: [b] } }')],
    ['an estimate in full', doing('{ estimate: { duration: 2d 4h, overwrite: true } }')],
    ['what the service waits for', doing('{ accept: { when: pipeline_succeeds, pipeline: required } }')],
  ])('%s', (_what, text) => {
    expect([byCheck(text), bySchema(text)]).toEqual([true, true])
  })
})

it('an include of a repository is taken', () => {
  const text = 'include: [{ project: hotel/rules, file: merge.yml, ref: v1 }]\nrules: []\n'
  expect([readRules(text, '.bellhop.yml', { trust: 'repository' }).ok, bySchema(text)]).toEqual([true, true])
})

it.each([
  ['a list of rules alone', '- name: a'],
  ['no rules', 'version: 1'],
  ['another version', 'version: 2\nrules: []'],
  ['a rule of an unknown mode', withLines('mode: maybe', ...always)],
  ['no projects', 'projects: []\nrules: []'],
  ['an include without a file', 'include: { project: a/b }\nrules: []'],
  ['a rule without a name', 'rules:\n  - if: { draft: true }\n    then: { subscribe: true }\n'],
  ['a name that is empty', 'rules:\n  - name: " "\n    if: { draft: true }\n    then: { subscribe: true }\n'],
  ['a name of two lines', 'rules:\n  - name: "a\\nb"\n    if: { draft: true }\n    then: { subscribe: true }\n'],
  ['a rule without conditions', withLines('then: { subscribe: true }')],
  ['a rule without actions', withLines('if: { draft: true }')],
  ['an empty then', doing('{}')],
  ['an unknown key of a rule', withLines('when: push', ...always)],
  ['an unknown word of a choice', when('{ state: open }')],
  ['an operator of another type', when('{ title: { at_least: 3 } }')],
  ['a text where a number is due', when('{ upvotes: two }')],
  ['a mapping that is no operator', when('{ labels: { matches: "a" } }')],
  ['no operator', when('{ labels: {} }')],
  ['an empty any', when('{ any: [] }')],
  ['a bare age', when('{ age: 3d }')],
  ['a duration without a unit', when('{ age: { older_than: 30 } }')],
  ['a duration that says hours twice', when('{ age: { older_than: 1h2h } }')],
  ['a day that is none', when('{ clock: { days: [someday] } }')],
  ['hours that are none', when('{ clock: { hours: "9-17" } }')],
  ['a window that says nothing', when('{ clock: { zone: UTC } }')],
  ['nobody where somebody is due', when('{ author: null }')],
  ['a switch that is off', doing('{ subscribe: false }')],
  ['a text for a truth', doing('{ accept: { squash: "yes" } }')],
  ['a merge that waits for no pipeline', doing('{ accept: { when: pipeline_succeeds, pipeline: none } }')],
  ['a label with a comma', doing('{ label: { add: "a,b" } }')],
  ['no labels', doing('{ label: {} }')],
  ['labels that are set by a state', doing('{ label: { set: [a] } }')],
  ['labels that are set beside others', onEvent('push', '{ label: { set: [a], add: [b] } }')],
  ['labels for the while of an event', onEvent('push', '{ label: { while: a } }')],
  ['an estimate of nothing', doing('{ estimate: 0m }')],
  ['time spent by a state', doing('{ spend: 1h }')],
  ['an update that changes nothing', onEvent('push', '{ update: {} }')],
  ['a user name with a space', doing('{ assign: "al ice" }')],
  ['an event with an unknown filter', onEvent('{ push: { branch: main } }', '{ subscribe: true }')],
  ['the command that Bellhop answers itself', withLines('command: why', 'then: { subscribe: true }')],
  ['a command in capitals', withLines('command: Merge', 'then: { subscribe: true }')],
  ['a command in a push', withLines('on: push', 'command: merge', 'then: { subscribe: true }')],
  ['a state of the project', withLines('for: project', 'if: { group: a }', `then: ${tell}`)],
  ['a tag in a rule for merge requests', onEvent('tag_push', tell, '    for: merge_requests\n')],
  ['what is done to a merge request for the project', onEvent('push', '{ subscribe: true }', '    for: project\n')],
  ['what is done to a merge request for an issue', onEvent('{ issue.open: }', '{ subscribe: true }')],
  [
    'a fact of merge requests for the project',
    onEvent('push', tell, '    for: project\n    if: { any: [{ ref: a }, { labels: [b] }] }\n'),
  ],
  ['a fact of events in a rule for states', when('{ actor: alice }')],
  ['a definition with a strange name', 'defs: { "1": { draft: true } }\nrules: []'],
  ['a definition of facts that nothing has together', 'defs: { a: { draft: true, confidential: true } }\nrules: []'],
  ['a definition of an unknown fact', 'defs: { a: { drafts: true } }\nrules: []'],
])('what is broken, both refuse: %s', (_what, text) => {
  expect([byCheck(text), bySchema(text)]).toEqual([false, false])
})

it.each([
  ['two rules of one name', `${when('{ draft: true }')}${when('{ draft: false }').replace('rules:\n', '')}`],
  ['an expression that is not RE2', when('{ title: { matches: "(?=a)" } }')],
  ['an unknown fact in a text', doing('{ comment: "{{ autor }}" }')],
  ['an include in a file of the operator', 'include: { project: a/b, file: c.yml }\nrules: []'],
  ['a name that is not defined', when('{ use: ready }')],
  ['a definition before what it uses', 'defs: { a: { use: b }, b: { draft: true } }\nrules: []'],
  [
    'a fact of merge requests by way of a definition',
    `defs: { a: { draft: true } }\n${onEvent('tag_push', tell, '    if: { use: a }\n')}`,
  ],
  ['a fact of events by way of a definition', `defs: { a: { actor: alice } }\n${when('{ use: a }')}`],
  ['a window that ends before it begins', when('{ clock: { from: 2026-12-20, to: 2026-12-01 } }')],
  ['a day that does not exist', when('{ clock: { from: 2026-02-30 } }')],
  ['a time zone that does not exist', when('{ clock: { days: mon, zone: Europe/Nowhere } }')],
  ['a duration that is too long', when('{ age: { older_than: 999999w } }')],
  ['a label that is added and removed', doing('{ label: { add: a, remove: a } }')],
])('what a schema cannot tell, check refuses alone: %s', (_what, text) => {
  expect([byCheck(text), bySchema(text)]).toEqual([false, true])
})

/** Without those that are written as a key of another. */
const directFacts = (subject: Subject) =>
  factsOf(subject).flatMap(([name, { writtenAs }]) => (writtenAs === undefined ? [name] : []))

describe('the schema', () => {
  it('describes every fact, operator and action', () => {
    const {
      event_condition,
      issue_event_condition,
      actions: of_states,
      event_actions,
      project_actions,
      list_fact,
    } = schema.$defs as Record<string, { properties?: object }>
    const named = (subject: Subject) => [
      'all',
      'any',
      'not',
      'use',
      ...directFacts(subject),
      ...Object.keys(factHolders()),
    ]
    expect(Object.keys(event_condition?.properties ?? {})).toEqual(named('merge_request'))
    expect(Object.keys(issue_event_condition?.properties ?? {})).toEqual(named('issue'))
    const described = [
      ...Object.keys(of_states?.properties ?? {}),
      ...Object.keys(event_actions?.properties ?? {}),
      ...Object.keys(project_actions?.properties ?? {}),
    ]
    expect([...new Set(described)].sort()).toEqual(Object.keys(actions).sort())
    for (const each of [
      ...Object.values(event_condition?.properties ?? {}),
      ...Object.values(event_actions?.properties ?? {}),
    ])
      expect(each).toHaveProperty('description')
    expect(JSON.stringify(list_fact)).toContain('At least one of the list fits one of these.')
  })
  it('leads nowhere that is not there', () => {
    const pointers = [...JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name)
    for (const name of pointers) expect(Object.keys(schema.$defs as object)).toContain(name)
  })
})
