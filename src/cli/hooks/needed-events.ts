// The events that can change a verdict of the rules in force (api-v4.md §6).
import { actionNamed } from '../../rules/actions/index.ts'
import { type RuleInForce, ruleSet } from '../../rules/engine/conditions/rules-in-force.ts'
import { factsOfAction } from '../../rules/engine/facts-of-action.ts'
import { isShown } from '../../rules/engine/shown-by-updated-at.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import { factNamed } from '../../rules/facts/index.ts'
import { factsIn } from '../../rules/language/conditions.ts'
import { fitsProject } from '../../rules/language/patterns/project-patterns.ts'
import type { RulesFor } from '../explain/rules-for.ts'

/** As in requests; responses call the wiki's `wiki_page_events`. */
export const eventFlags = [
  ...(['push_events', 'tag_push_events', 'merge_requests_events', 'note_events'] as const),
  ...(['pipeline_events', 'issues_events', 'wiki_events', 'job_events', 'emoji_events', 'releases_events'] as const),
  ...(['deployment_events', 'milestone_events', 'resource_access_token_events'] as const),
  ...(['confidential_note_events', 'confidential_issues_events'] as const),
]
export type EventFlag = (typeof eventFlags)[number]
export type EventFlags = Record<EventFlag, boolean>

// Pushes bring new rules and say who pushed; `@bellhop why` is a note.
const always: readonly EventFlag[] = ['push_events', 'merge_requests_events', 'note_events']
/** By the first word of a kind that `on:` can name. */
export const flagsOfKind: Record<string, readonly EventFlag[]> = {
  push: ['push_events'],
  tag_push: ['tag_push_events'],
  merge_request: ['merge_requests_events'],
  // A command may stand in an internal note.
  note: ['note_events', 'confidential_note_events'],
  pipeline: ['pipeline_events'],
  issue: ['issues_events', 'confidential_issues_events'],
  wiki_page: ['wiki_events'],
  emoji: ['emoji_events'],
  release: ['releases_events'],
  deployment: ['deployment_events'],
  milestone: ['milestone_events'],
  access_token: ['resource_access_token_events'],
}

/** All that Bellhop reads: no rule uses job events. */
export const allEvents: EventFlags = flags(eventFlags.filter((flag) => flag !== 'job_events'))

/** The events that hooks of the installation have: those of comments, pipelines and issues are not among them. */
export const systemEvents: EventFlags = flags(['push_events', 'tag_push_events', 'merge_requests_events'])

/** `includedFrom`: other projects may include this project's files, by a tag that moves. */
export function neededEvents(rules: readonly RuleInForce[], { includedFrom }: { includedFrom: boolean }): EventFlags {
  const active = rules.filter(({ mode }) => mode !== 'off')
  return flags([...always, ...(includedFrom ? (['tag_push_events'] as const) : []), ...active.flatMap(neededBy)])
}

/** For the rules in force in a project; all that Bellhop reads where a file is broken. */
export function eventsInForce(
  { files, problems, policy }: RulesFor,
  includeFrom: readonly string[],
  path: string,
): EventFlags {
  if (problems.length > 0) return allEvents
  return neededEvents(ruleSet(files, policy).rules, { includedFrom: fitsProject(includeFrom, path) })
}

function flags(on: readonly EventFlag[]): EventFlags {
  return Object.fromEntries(eventFlags.map((flag) => [flag, on.includes(flag)])) as EventFlags
}

function neededBy({ rule }: RuleInForce): EventFlag[] {
  const named = (rule.on ?? []).flatMap(({ kind }) => flagsOfKind[kind.split('.')[0] ?? kind] ?? [])
  if (rule.subject === 'project') return named
  const { if: condition, actions: asked } = rule
  const names = [...factsIn(condition), ...asked.flatMap(factsOfAction)]
  if (rule.subject === 'issue') return [...named, ...flagsOfIssues, ...names.flatMap(flagsOfFactOfIssues)]
  const merges = asked.some(({ action }) => actionNamed(action)?.limited === 'merge')
  const comparesStatuses = asked.some(({ action }) =>
    actionNamed(action)?.reads?.sources?.includes(sources.statuses.name),
  )
  const facts = names.flatMap(flagsOfFact)
  return [...named, ...facts, ...(merges || comparesStatuses ? (['pipeline_events'] as const) : [])]
}

const flagsOfIssues = flagsOfKind.issue ?? []

/** A note on a confidential issue is confidential itself. */
function flagsOfFactOfIssues(name: string): readonly EventFlag[] {
  const fact = factNamed(name)
  const notes = fact?.changesWithNotes === true ? (flagsOfKind.note ?? []) : []
  return [...notes, ...(flagsOfKind[fact?.changesWith ?? ''] ?? [])]
}

/** The events that alone tell of a change of the fact; those of pipelines in doubt. */
function flagsOfFact(name: string): readonly EventFlag[] {
  const flags = flagsOfKind[factNamed(name)?.changesWith ?? '']
  if (flags !== undefined) return flags
  return changesWithPipelines(name) ? ['pipeline_events'] : []
}

const changedByPipelines: readonly string[] = [
  sources.mergeRequest.name,
  sources.pipelines.name,
  sources.pipelineCommit.name,
]

function changesWithPipelines(name: string): boolean {
  const fact = factNamed(name)
  if (fact === undefined) return true
  if (isShown(name)) return false
  return fact.from.some((source) => changedByPipelines.includes(source))
}
