// Which events a project's hook must send so that the rules in force hear of all that can change a verdict (api-v4.md §6).

import type { Action } from '../../rules/action.ts'
import { actions } from '../../rules/actions/index.ts'
import { shownByUpdate } from '../../rules/at-rest.ts'
import type { Fact } from '../../rules/fact.ts'
import { facts } from '../../rules/facts/index.ts'
import type { RuleInForce } from '../../rules/rules-in-force.ts'
import { sources } from '../../rules/sources.ts'
import { namesIn } from '../../rules/templates.ts'
import type { Condition } from '../../rules/types.ts'

/** The flags as requests name them; an answer calls the wiki's `wiki_page_events`. */
export const eventFlags = [
  ...['push_events', 'tag_push_events', 'merge_requests_events', 'note_events'],
  ...['pipeline_events', 'issues_events', 'wiki_events', 'job_events'],
] as readonly EventFlag[]
export type EventFlag =
  | 'push_events'
  | 'tag_push_events'
  | 'merge_requests_events'
  | 'note_events'
  | 'pipeline_events'
  | 'issues_events'
  | 'wiki_events'
  | 'job_events'
export type EventFlags = Record<EventFlag, boolean>

// A push may bring new rules and says who pushed; a merge request's own events wake its rules; `@bellhop why` is a note.
const always: readonly EventFlag[] = ['push_events', 'merge_requests_events', 'note_events']
const flagOfKind: Record<string, EventFlag> = {
  push: 'push_events',
  tag_push: 'tag_push_events',
  merge_request: 'merge_requests_events',
  note: 'note_events',
  pipeline: 'pipeline_events',
  issue: 'issues_events',
  wiki_page: 'wiki_events',
}

/** Everything that Bellhop reads: all but the events of jobs, which no rule is about. */
export const allEvents: EventFlags = flags(eventFlags.filter((flag) => flag !== 'job_events'))

/** What these rules need. `includedFrom`: other projects may include this one's files, by a tag that moves. */
export function neededEvents(rules: readonly RuleInForce[], { includedFrom }: { includedFrom: boolean }): EventFlags {
  const living = rules.filter(({ mode }) => mode !== 'off')
  return flags([...always, ...(includedFrom ? (['tag_push_events'] as const) : []), ...living.flatMap(neededBy)])
}

function flags(on: readonly EventFlag[]): EventFlags {
  return Object.fromEntries(eventFlags.map((flag) => [flag, on.includes(flag)])) as EventFlags
}

function neededBy({ rule }: RuleInForce): EventFlag[] {
  const named = (rule.on ?? []).flatMap(({ kind }) => flagOfKind[kind.split('.')[0] ?? kind] ?? [])
  return [...named, ...(rule.ofProject !== true && heedsPipelines(rule) ? (['pipeline_events'] as const) : [])]
}

/** A pipeline's end shows in no other event: what leans on it waits for that one. In doubt it does. */
function heedsPipelines({ if: condition, actions: asked }: RuleInForce['rule']): boolean {
  const known = actions as Record<string, Action>
  const ofActions = asked.flatMap(({ action: name, args }) => {
    const action = known[name]
    if (action === undefined) return []
    return [
      ...(action.requires?.(args) ?? []).flatMap(factsIn),
      ...(action.also?.(args) ?? []),
      ...(action.texts?.(args) ?? []).flatMap(namesIn),
    ]
  })
  const letsCodeIn = asked.some(({ action }) => known[action]?.policy === 'merge')
  return letsCodeIn || [...factsIn(condition), ...ofActions].some(followsPipelines)
}

function factsIn(condition: Condition): string[] {
  if ('fact' in condition) return [condition.fact]
  if ('use' in condition) return factsIn(condition.is)
  if ('not' in condition) return factsIn(condition.not)
  return ('all' in condition ? condition.all : condition.any).flatMap(factsIn)
}

const shown: ReadonlySet<string> = new Set(shownByUpdate)
const changedByPipelines: readonly string[] = [sources.mergeRequest.name, sources.pipelines.name, sources.pipelineCommit.name]

function followsPipelines(name: string): boolean {
  const fact = (facts as unknown as Record<string, Fact>)[name]
  if (fact === undefined) return true
  if (fact.stable === true || fact.ofEvents === true || shown.has(name)) return false
  return fact.from.some((source) => changedByPipelines.includes(source))
}
