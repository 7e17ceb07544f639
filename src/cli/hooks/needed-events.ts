// The events that can change a verdict of the rules in force (api-v4.md §6).
import type { Action } from '../../rules/actions/definition/action.ts'
import { actions } from '../../rules/actions/index.ts'
import type { RuleInForce } from '../../rules/engine/conditions/rules-in-force.ts'
import { isShown } from '../../rules/engine/shown-by-updated-at.ts'
import type { Fact } from '../../rules/facts/definition/fact.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import { facts } from '../../rules/facts/index.ts'
import { namesIn } from '../../rules/language/templates.ts'
import type { Condition } from '../../rules/types.ts'

/** As in requests; responses call the wiki's `wiki_page_events`. */
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

// Pushes bring new rules and say who pushed; `@bellhop why` is a note.
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

/** All that Bellhop reads: no rule uses job events. */
export const allEvents: EventFlags = flags(eventFlags.filter((flag) => flag !== 'job_events'))

/** `includedFrom`: other projects may include this project's files, by a tag that moves. */
export function neededEvents(rules: readonly RuleInForce[], { includedFrom }: { includedFrom: boolean }): EventFlags {
  const active = rules.filter(({ mode }) => mode !== 'off')
  return flags([...always, ...(includedFrom ? (['tag_push_events'] as const) : []), ...active.flatMap(neededBy)])
}

function flags(on: readonly EventFlag[]): EventFlags {
  return Object.fromEntries(eventFlags.map((flag) => [flag, on.includes(flag)])) as EventFlags
}

function neededBy({ rule }: RuleInForce): EventFlag[] {
  const named = (rule.on ?? []).flatMap(({ kind }) => flagOfKind[kind.split('.')[0] ?? kind] ?? [])
  return [...named, ...(rule.ofProject !== true && needsPipelines(rule) ? (['pipeline_events'] as const) : [])]
}

/** Only a pipeline event tells of a pipeline's end. True in doubt. */
function needsPipelines({ if: condition, actions: asked }: RuleInForce['rule']): boolean {
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
  const merges = asked.some(({ action }) => known[action]?.policy === 'merge')
  return merges || [...factsIn(condition), ...ofActions].some(changesWithPipelines)
}

function factsIn(condition: Condition): string[] {
  if ('fact' in condition) return [condition.fact]
  if ('use' in condition) return factsIn(condition.is)
  if ('not' in condition) return factsIn(condition.not)
  return ('all' in condition ? condition.all : condition.any).flatMap(factsIn)
}

const changedByPipelines: readonly string[] = [
  sources.mergeRequest.name,
  sources.pipelines.name,
  sources.pipelineCommit.name,
]

function changesWithPipelines(name: string): boolean {
  const fact = (facts as unknown as Record<string, Fact>)[name]
  if (fact === undefined) return true
  if (isShown(name)) return false
  return fact.from.some((source) => changedByPipelines.includes(source))
}
