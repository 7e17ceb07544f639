// A record read merge request by merge request.
import type { ActionEntry, CallEntry, ChangeEntry, NoteEntry, PipelineEntry, SoakRecord } from './record.ts'

/** All that was recorded of one merge request, in order. */
export interface History {
  /** `project!iid`. */
  name: string
  /** Never empty. */
  changes: readonly ChangeEntry[]
  last: ChangeEntry['mergeRequest']
  /** The bot's calls that name it. */
  calls: readonly CallEntry[]
  notes: readonly NoteEntry[]
  /** What people did to it and the service did not refuse. */
  actions: readonly ActionEntry[]
  /** The pipelines of its source branch. */
  pipelines: readonly PipelineEntry[]
}

/** In the order in which they were opened. */
export function historiesOf(record: SoakRecord): History[] {
  const changes = groupBy(record.changes, ({ mergeRequest }) => mergeRequest.id)
  const notes = groupBy(record.notes, ({ mergeRequest }) => mergeRequest)
  const actions = groupBy(record.actions, ({ mergeRequest }) => mergeRequest)
  const calls = groupBy(record.calls, ({ params }) => `${params.id}!${params.merge_request_iid}`)
  const pipelines = groupBy(record.pipelines, ({ project, ref }) => `${project} ${ref}`)
  return [...changes.values()].flatMap((own): History[] => {
    const last = own.at(-1)?.mergeRequest
    if (last === undefined) return []
    const name = `${last.project_id}!${last.iid}`
    return [
      {
        name,
        changes: own,
        last,
        calls: (calls.get(name) ?? []).filter(({ caller }) => caller === record.bot.username),
        notes: notes.get(last.id) ?? [],
        actions: (actions.get(last.id) ?? []).filter(({ refused }) => !refused),
        pipelines: pipelines.get(`${last.source_project_id} ${last.source_branch}`) ?? [],
      },
    ]
  })
}

/** Those that some kind of action was done to. */
export function actionsOf<D extends ActionEntry['action']['do']>(
  { actions }: History,
  kind: D,
): (ActionEntry & { action: Extract<ActionEntry['action'], { do: D }> })[] {
  return actions.filter(
    (each): each is ActionEntry & { action: Extract<ActionEntry['action'], { do: D }> } => each.action.do === kind,
  )
}

/** The states that a merge request had at some moment from `from` to `to`. */
export function statesWithin({ changes }: History, from: number, to: number): ChangeEntry['mergeRequest'][] {
  const first = changes.findLastIndex(({ at }) => at <= from)
  return changes.filter(({ at }, index) => index >= first && at <= to).map(({ mergeRequest }) => mergeRequest)
}

/** All statuses from `from` to `to` of the pipeline of a commit: the newest pipeline of that commit on the branch. */
export function pipelineWithin({ pipelines }: History, sha: string, from: number, to: number): string[] {
  const ofSha = pipelines.filter((each) => each.sha === sha)
  const newestAt = (moment: number) => {
    const before = ofSha.filter(({ at }) => at <= moment)
    const newest = Math.max(...before.map(({ id }) => id))
    return before.findLast(({ id }) => id === newest)?.status ?? 'none'
  }
  return [newestAt(from), ...ofSha.filter(({ at }) => at > from && at <= to).map(({ at }) => newestAt(at))]
}

/** Whether a merge request ever had that label. */
export function everHad({ changes }: History, label: string): boolean {
  return changes.some(({ mergeRequest }) => mergeRequest.labels.includes(label))
}

/** Each key with its own, in order. */
export function groupBy<T, K>(list: readonly T[], keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const each of list) {
    const key = keyOf(each)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [each])
    else group.push(each)
  }
  return groups
}
