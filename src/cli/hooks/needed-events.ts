// The events that can change a verdict of the rules in force.

import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { type RuleInForce, ruleSet } from '../../rules/engine/conditions/rules-in-force.ts'
import { triggersOf } from '../../rules/engine/triggers.ts'
import type { Trigger } from '../../rules/facts/definition/fact.ts'
import { fitsProject } from '../../rules/language/patterns/patterns.ts'
import type { Mode } from '../../rules/types.ts'
import { operatorRules, type RulesFor, readRulesOf } from '../explain/rules-for.ts'
import type { TargetProject } from './targets.ts'

/** Named as in requests; responses call the wiki's `wiki_page_events`. */
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
/** The flags by the first word of a kind that `on:` can name. */
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

/** The events for the rules in force in a project; all that Bellhop reads if a file is broken. */
export function eventsInForce(
  { files, problems, policy }: RulesFor,
  includeFrom: readonly string[],
  path: string,
): EventFlags {
  if (problems.length > 0) return allEvents
  return neededEvents(ruleSet(files, policy).rules, { includedFrom: fitsProject(includeFrom, path) })
}

export function flags(on: readonly string[]): EventFlags {
  return Object.fromEntries(eventFlags.map((flag) => [flag, on.includes(flag)])) as EventFlags
}

function neededBy(inForce: RuleInForce): readonly EventFlag[] {
  const { on = [], subject } = inForce.rule
  const named = on.flatMap(({ kind }) => flagsOfKind[kind.split('.')[0] ?? kind] ?? [])
  if (subject === 'project') return named
  const needed = [...named, ...triggersOf(inForce).flatMap((trigger) => flagsOfTrigger[trigger])]
  if (subject !== 'issue') return needed
  // A note on a confidential issue is confidential itself.
  const also = needed.includes('note_events') ? ['issue', 'note'] : ['issue']
  return [...needed, ...also.flatMap((kind) => flagsOfKind[kind] ?? [])]
}

const flagsOfTrigger: Record<Trigger, readonly EventFlag[]> = {
  emoji: ['emoji_events'],
  note: ['note_events'],
  'note by others': ['note_events'],
  pipeline: ['pipeline_events'],
  status: ['pipeline_events'],
  'target branch': ['push_events'],
}

/**
 * All events that Bellhop reads if a file is unreadable or broken. Without a folder, by the repository's rules alone.
 * Throws UserError for the operator's files.
 */
export async function eventsByRules(
  client: Client,
  where: { folder: string | undefined; mode: Mode },
): Promise<(project: TargetProject) => Promise<EventFlags>> {
  const { folder } = where
  const operator = folder === undefined ? { operatorFiles: [], entries: [], chats: [] } : await operatorRules(folder)
  const rulesOf = readRulesOf(client, { ...where, ...operator })
  const includeFrom = operator.entries.flatMap((entry) => entry.includeFrom ?? [])
  return async ({ id, path }) => {
    try {
      return eventsInForce(await rulesOf(id), includeFrom, path)
    } catch (error) {
      // A user who may not read files may still manage hooks.
      if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return allEvents
      throw error
    }
  }
}
