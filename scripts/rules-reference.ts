// The rule reference (docs/rules.md): its template, filled from tables of facts, operators, events, actions and limits.
import { readdir, readFile } from 'node:fs/promises'
import { type Action, isOneWay, isStanding } from '../src/rules/actions/definition/action.ts'
import { actions } from '../src/rules/actions/index.ts'
import type { Fact } from '../src/rules/facts/definition/fact.ts'
import { facts } from '../src/rules/facts/index.ts'
import * as conditions from '../src/rules/language/conditions.ts'
import * as document from '../src/rules/language/documents/rule-document.ts'
import { eventKinds, isEventOf, unsupportedEvents } from '../src/rules/language/events.ts'
import type { FactType, TypeName } from '../src/rules/language/operators/fact-types.ts'
import { type Operator, operators } from '../src/rules/language/operators/operators.ts'
import * as patternWork from '../src/rules/language/patterns/pattern-budget.ts'
import * as patterns from '../src/rules/language/patterns/patterns.ts'
import { ruleFileSchema } from '../src/rules/language/schema/rule-file.ts'
import { isMap, type ShapeSchema } from '../src/rules/language/values/shapes.ts'
import * as yamlText from '../src/rules/language/yaml/yaml-text.ts'
import * as yamlTokens from '../src/rules/language/yaml/yaml-text.ts'
import type { Condition, Json } from '../src/rules/types.ts'
import { cell, code, row, table } from './markdown-table.ts'
import { sourceCalls } from './source-call.ts'

const folder = new URL('./', import.meta.url)
const factFolder = new URL('../src/rules/facts/', import.meta.url)

const typeWords: Record<TypeName, string> = {
  text: 'text',
  choice: 'word',
  level: 'level',
  boolean: 'true or false',
  integer: 'number',
  duration: 'duration',
  age: 'age',
  clock: 'time',
  list: 'list',
}

const sayType = ({ name, nullable }: FactType) => `${typeWords[name]}${nullable === true ? ' or null' : ''}`

/** How an operator is written; some need no name. */
function written(name: string, { bare }: Operator): string {
  const bareWords: Record<string, string> = {
    equals: 'a value',
    one_of: 'a list',
    any: 'a value or a list',
    within: 'a window',
  }
  const words = bareWords[name]
  if (words === undefined) return code(name)
  return bare === undefined || name === 'any' ? `${words}, ${code(name)}` : words
}

function typesSection(): string {
  const all = Object.entries<Operator>(operators)
  const used = [...new Set(Object.values<Fact>(facts as Record<string, Fact>).map(({ type }) => type.name))]
  const ofType = (type: TypeName) =>
    all.filter(([, operator]) => operator.for.includes(type)).map(([name, operator]) => written(name, operator))
  const types = table(
    ['type', 'operators'],
    used.map((type) => row(typeWords[type], ofType(type).join(', '))),
  )
  const meanings = table(
    ['written', 'true when'],
    all.map(([name, operator]) => row(written(name, operator), cell(operator.doc))),
  )
  return `${types}\n\n${meanings}`
}

function factRow(
  name: string,
  { doc, type, from, example, stable, ofEvents, ofIssues, readPublic, tier }: Fact,
): string {
  const words = type.values === undefined ? '' : ` One of ${type.values.map(code).join(', ')}.`
  const read = from.flatMap((each) => sourceCalls(each, ofIssues === 'only' ? 'issue' : 'merge_request'))
  const marks = [
    ...(ofEvents === true ? ['only with `on`'] : []),
    ...(ofIssues === undefined ? [] : [ofIssues === 'only' ? 'only of issues' : 'also of issues']),
    ...(stable === true ? ['stable'] : []),
    ...(readPublic === undefined ? [] : ['restricted']),
    ...(tier === undefined ? [] : ['Premium']),
  ]
  return row(
    code(name),
    sayType(type),
    `${cell(doc)}${words}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`,
    code(example),
    read.length === 0 ? 'no call' : read.join(', '),
  )
}

/** Facts by subject: a file each, whose first line describes it. */
async function factsSection(): Promise<string> {
  const files = (await readdir(factFolder)).filter((name) => name.endsWith('.ts') && name !== 'index.ts').sort()
  const sections: string[] = []
  for (const file of files) {
    const text = await readFile(new URL(file, factFolder), 'utf8')
    const about = (text.split('\n')[0] ?? '').replace(/^\/\/ /, '')
    const own = Object.entries(facts as Record<string, Fact>).filter(([name]) =>
      new RegExp(`^export const ${name}\\b`, 'm').test(text),
    )
    const heading = file.replace('.ts', '').replaceAll('-', ' ')
    const rows = own.map(([name, fact]) => factRow(name, fact))
    sections.push(
      `### ${heading.charAt(0).toUpperCase()}${heading.slice(1)}\n\n${about}\n\n${table(['fact', 'type', 'meaning', 'example', 'read from'], rows)}`,
    )
  }
  return sections.join('\n\n')
}

function eventsRows(): string {
  const kinds = [...new Set(eventKinds.map((kind) => kind.split('.')[0] ?? kind))]
  return kinds
    .map((kind) =>
      row(
        code(kind),
        eventKinds
          .filter((each) => each.split('.')[0] === kind && !each.endsWith('*'))
          .map(code)
          .join(', '),
        [
          ...(isEventOf(kind, 'merge_request') ? ['merge requests'] : []),
          ...(isEventOf(kind, 'issue') ? ['issues'] : []),
          'the project',
        ].join(', '),
      ),
    )
    .join('\n')
}

function unsupportedRows(): string {
  return unsupportedEvents
    .map(({ name, kinds, reason }) => row(name, kinds.map(code).join(', '), `${cell(reason)}.`))
    .join('\n')
}

const sayCondition = (condition: Condition): string =>
  'fact' in condition ? `${code(condition.fact)} ${sayWanted(condition.expected)}` : ''
const sayWanted = (wanted: Json): string =>
  (Array.isArray(wanted) ? wanted : [wanted]).map((each) => code(String(each))).join(' or ')

/** How an action behaves, from its declaration. */
function behaviour(action: Action): string[] {
  const required = action.requires?.({}) ?? []
  const validity = action.when === 'until_done' ? 'until it is done' : 'while the head stays'
  return [
    ...(action.when === 'on_events' ? ['Only in rules with `on` or `command`; done once for each event.'] : []),
    ...(action.on === 'issues' ? ['Also in rules `for: issues`.'] : []),
    ...(action.on === 'projects' ? ['Also in rules for events of the project.'] : []),
    ...(isOneWay(action) ? ['Done once while the rule stays true.'] : []),
    ...(isStanding(action) ? [`A request by an event is valid ${validity}.`] : []),
    ...(required.length === 0 ? [] : [`Needs ${required.map(sayCondition).join(', ')}.`]),
    ...(action.restrains === undefined ? [] : [`Wins over ${action.restrains.actions.map(code).join(', ')}.`]),
    ...(action.limited === 'merge' ? ['Lets code in: see [Trust](#trust).'] : []),
  ]
}

/** The keys of its arguments, where it takes a mapping. */
function argumentsOf(schema: ShapeSchema): [string, ShapeSchema][] {
  const parts = [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])].filter((part): part is ShapeSchema =>
    isMap(part),
  )
  return parts.flatMap((part) =>
    isMap(part.properties) ? (Object.entries(part.properties) as [string, ShapeSchema][]) : [],
  )
}

function actionSection(name: string, action: Action): string {
  const events = argumentsOf(action.args.schema({ onEvents: true }))
  const states = argumentsOf(action.args.schema({ onEvents: false }))
  const all = new Map([...states, ...events])
  const only = (key: string) => {
    if (action.when === 'on_events' || (events.some(([each]) => each === key) && states.some(([each]) => each === key)))
      return ''
    return events.some(([each]) => each === key) ? ' Only with `on`.' : ' Only without `on`.'
  }
  const rows = [...all].map(([key, { description }]) =>
    row(code(key), `${cell(String(description ?? ''))}${only(key)}`),
  )
  return [
    `### ${name}`,
    action.doc,
    `${code(action.example)}: takes ${cell(action.args.expected)}.`,
    ...(rows.length === 0 ? [] : [table(['argument', 'is'], rows)]),
    ...(behaviour(action).length === 0 ? [] : [behaviour(action).join(' ')]),
  ].join('\n\n')
}

function keyRows(schema: Json | undefined): string {
  const properties = isMap(schema) && isMap(schema.properties) ? schema.properties : {}
  return Object.entries(properties)
    .map(([key, value]) => row(code(key), cell(isMap(value) ? String(value.description) : '')))
    .join('\n')
}

function limitsSection(): string {
  const grouped = (value: number) => value.toLocaleString('en-US')
  const rows = [
    ['size of a file', `${yamlTokens.LONGEST_TEXT / 1024} KB, ${grouped(yamlTokens.MOST_LINES)} lines`],
    ['YAML tokens of a file', grouped(document.ruleFileLimits.lexemes)],
    ['rules, and entries of any list or mapping', grouped(document.MOST_RULES)],
    ['definitions', grouped(document.MOST_DEFINITIONS)],
    ['conditions of one `if`, including those of `use`', grouped(conditions.MOST_CONDITIONS)],
    ['conditions of a file', grouped(document.MOST_CONDITIONS)],
    ['levels of nesting', grouped(yamlTokens.DEEPEST)],
    ['YAML aliases', grouped(yamlText.MOST_ALIASES)],
    ['characters of a regular expression', grouped(patterns.LONGEST_EXPRESSION)],
    [
      'characters, braces and alternatives of a glob',
      [patterns.LONGEST_GLOB, patterns.MOST_BRACES, patterns.MOST_ALTERNATIVES].map(grouped).join(', '),
    ],
    ['instructions of a regular expression when compiled', grouped(patterns.MOST_INSTRUCTIONS)],
    ['the same of all regular expressions and globs of a file', grouped(patterns.MOST_INSTRUCTIONS_OF_FILE)],
    ['characters of a text that is matched; a longer one is unknown', grouped(patterns.LONGEST_SEARCHED)],
    ['instructions times characters of one match; beyond it the text is unknown', grouped(patterns.MOST_STEPS_AT_ONCE)],
    [
      'the same of all matches of one evaluation; beyond it all rules of the repository are unknown',
      grouped(patternWork.MOST_STEPS),
    ],
  ]
  return table(
    ['what', 'at most'],
    rows.map((each) => row(...each)),
  )
}

/** The whole page. The same tables give the same page. */
export async function rulesReference(): Promise<string> {
  const schema = ruleFileSchema()
  const parts: Record<string, string> = {
    generated:
      '<!-- Generated by `npm run generate` from scripts/rules-reference.md and the tables in src/rules: do not edit. -->',
    'file keys': keyRows(schema),
    'rule keys': keyRows(isMap(schema.$defs) ? schema.$defs.rule : undefined),
    types: typesSection(),
    facts: await factsSection(),
    events: eventsRows(),
    'unsupported events': unsupportedRows(),
    actions: Object.entries<Action>(actions)
      .map(([name, action]) => actionSection(name, action))
      .join('\n\n'),
    limits: limitsSection(),
  }
  const template = await readFile(new URL('rules-reference.md', folder), 'utf8')
  return template.replace(/^<!-- ([a-z ]+) -->$/gm, (mark, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`scripts/rules-reference.md: unknown placeholder ${mark}`)
    return part
  })
}
