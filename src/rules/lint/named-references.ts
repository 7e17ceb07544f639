// Finds labels, users, milestones, branches and groups that a rule file names or mentions, for `check` to look up.
import { actionNamed } from '../actions/index.ts'
import { CODE_OWNERS } from '../actions/reviewers/candidates.ts'
import type { Fact } from '../facts/definition/fact.ts'
import { sources } from '../facts/definition/sources.ts'
import { factNamed } from '../facts/index.ts'
import { markdownParser } from '../language/commands/comment-commands.ts'
import { leavesOf } from '../language/conditions.ts'
import type { GroupMembers } from '../language/operators/operator-shapes.ts'
import { operatorNamed } from '../language/operators/operators.ts'
import { fillPlaces, namesIn } from '../language/templates.ts'
import type { Condition, Json, Rule, RuleAction, RuleFile } from '../language/values/rule-types.ts'
import { entriesOf, isMap, type Path } from '../language/values/shapes.ts'
import { readYaml } from '../language/yaml/yaml-text.ts'

/** `mention`: a user or a group in a text; `chat`: the operator's; `code_owners`: the project's CODEOWNERS file. */
export type NameKind = NonNullable<Fact['names']> | 'mention' | 'chat' | 'code_owners'

export interface Mention {
  kind: NameKind
  name: string
  /** The place of its first use, or the part of the rule if that is not certain. */
  path: Path
  /** Whose members count; absent if the group itself is named. */
  members?: GroupMembers
  /** Their approval is asked for. */
  consents?: boolean
}

const isName = (value: Json): value is string => typeof value === 'string' && value !== '' && !/[*?[\]{}\\]/.test(value)

const isText = (value: Json): value is string => typeof value === 'string' && namesIn(value).length === 0

/** Whether the operator compares whole values, so that a plain text is a name. */
function comparesNames(name: string): boolean {
  const operator = operatorNamed(name)
  return operator?.exact === true || operator?.quantifier !== undefined
}

function inCondition(condition: Condition): Omit<Mention, 'path'>[] {
  return leavesOf(condition).flatMap(({ fact, operator, expected }): Omit<Mention, 'path'>[] => {
    const { names: kind, consents, from } = factNamed(fact) ?? {}
    if (from?.includes(sources.codeOwners.name) === true) return [{ kind: 'code_owners', name: CODE_OWNERS }]
    const members = operatorNamed(operator)?.among?.(expected)
    if (members !== undefined) return [{ kind: 'group', name: members.group, members, consents }]
    if (kind === undefined || !comparesNames(operator)) return []
    return (Array.isArray(expected) ? expected : [expected]).filter(isName).map((name) => ({ kind, name }))
  })
}

/** The names that the action names itself, and those that its effects add or remove. */
function inAction({ action: name, args }: RuleAction): Omit<Mention, 'path'>[] {
  const action = actionNamed(name)
  const named: Omit<Mention, 'path'>[] = action?.template?.names?.(args) ?? []
  const changed = (action?.effects?.(args) ?? []).flatMap((effect) => {
    const kind = factNamed(effect.fact)?.names
    const names = 'value' in effect ? [effect.value].flat() : 'add' in effect ? effect.add : effect.remove
    return kind === undefined ? [] : names.filter(isText).map((each) => ({ kind, name: each }))
  })
  return [...named, ...changed]
}

/** The operator's chats that a rule file names, each once. */
export const chatsIn = ({ rules }: RuleFile): string[] => [
  ...new Set(
    rules
      .flatMap(({ actions }) => actions.flatMap(inAction))
      .flatMap(({ kind, name }) => (kind === 'chat' ? [name] : [])),
  ),
]

/** The chats that rules name and the project may not use; none if the operator's chats are not known. */
export const unknownChats = (files: readonly { rules: RuleFile }[], known: readonly string[] | undefined): string[] => [
  ...new Set(files.flatMap(({ rules }) => chatsIn(rules)).filter((name) => known?.includes(name) === false)),
]

function inTexts({ action: name, args }: RuleAction): (Omit<Mention, 'path'> & { text: string })[] {
  const { mentions, texts } = actionNamed(name)?.template ?? {}
  const said = mentions === true ? (texts?.(args) ?? []) : []
  return said.flatMap((text) => mentionsOf(text).map((each) => ({ kind: 'mention' as const, name: each, text })))
}

/** The place of a name under a path; undefined if it is not there. */
function pathOf(value: unknown, name: string, path: Path): Path | undefined {
  if (value === name) return path
  for (const [key, each] of entriesOf(value)) {
    const found = pathOf(each, name, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

function inRule(rule: Rule, index: number, document: unknown): Mention[] {
  const at = (...path: (string | number)[]) =>
    path.reduce<unknown>(
      (value, key) => (isMap(value) || Array.isArray(value) ? (value as never)[key] : undefined),
      document,
    )
  const placed = (mention: Omit<Mention, 'path'>, path: (string | number)[], text = mention.name): Mention => ({
    ...mention,
    path: pathOf(at(...path), text, path) ?? path,
  })
  return [
    ...inCondition(rule.if).map((mention) => placed(mention, ['rules', index, 'if'])),
    ...rule.actions.flatMap((each) => {
      const path = ['rules', index, 'then', each.action]
      return [
        ...inAction(each).map((mention) => placed(mention, path)),
        ...inTexts(each).map(({ text, ...mention }) => placed(mention, path, text)),
      ]
    }),
  ]
}

/** Each name once, at its first place; a group once for each choice of its members. */
export function mentionsIn(text: string, { rules, queues = [] }: RuleFile): Mention[] {
  const read = readYaml(text)
  const document = read.ok ? read.yaml.value : undefined
  const first = new Map<string, Mention>()
  const targets = queues.flatMap(({ target }, index): Mention[] =>
    isName(target) ? [{ kind: 'branch', name: target, path: ['queues', index, 'target'] }] : [],
  )
  for (const mention of [...targets, ...rules.flatMap((rule, index) => inRule(rule, index, document))]) {
    const key = JSON.stringify({ ...mention, path: undefined })
    if (!first.has(key)) first.set(key, mention)
  }
  return [...first.values()]
}

/** Replaces what is not plain text. */
const OTHER = '\uFFFC'
/** `@all` notifies all members. */
const EVERYBODY = 'all'

/** Each mention once, in order. A name that a fact completes is left out. */
export function mentionsOf(text: string): string[] {
  if (!text.includes('@')) return []
  const lines = markdownParser()
    .parse(
      fillPlaces(text, () => OTHER),
      {},
    )
    .flatMap(({ type, children }) => (type === 'inline' ? [(children ?? []).map(textOf).join('')] : []))
  const names = lines.flatMap((line) =>
    [...line.matchAll(/(?<![\w/\uFFFC])@(\w[\w./-]*)(?![\w./\uFFFC-])/g)].map(([, name = '']) =>
      name.replace(/[./-]+$/, ''),
    ),
  )
  return [...new Set(names)].filter((name) => name !== EVERYBODY)
}

function textOf({ type, content }: { type: string; content: string }): string {
  if (type === 'text') return content
  if (type.endsWith('break')) return '\n'
  // The marks of emphasis and links; their text follows.
  return /_(open|close)$/.test(type) ? '' : OTHER
}
