// The events in rules that only hooks tell: `bellhop run` reads the others from the service (docs/without-a-server.md).
import type { EventFilter } from '../language/values/rule-types.ts'
import type { RuleFile } from '../types.ts'
import type { LintFinding } from './possible.ts'

/** What it reads from lists, notes, label events and pipelines. */
const SEEN: ReadonlySet<string> = new Set([
  ...['note.create', 'merge_request.open', 'merge_request.close', 'merge_request.merge', 'issue.open', 'issue.close'],
  ...['success', 'failed', 'canceled', 'skipped', 'manual'].map((state) => `pipeline.${state}`),
])
const ONLY_LABELS: ReadonlySet<string> = new Set(['merge_request.update', 'issue.update'])

/** A finding for each event that a run without hooks does not see, or not always. */
export function unseenWithoutHooks({ rules }: Pick<RuleFile, 'rules'>): LintFinding[] {
  return rules.flatMap(({ on = [] }, index) =>
    on.flatMap((filter) => {
      const why = whyUnseen(filter)
      return why === undefined ? [] : [{ path: ['rules', index, 'on'], message: `${filter.kind}: bellhop run ${why}` }]
    }),
  )
}

function whyUnseen({ kind, changed }: EventFilter): string | undefined {
  if (SEEN.has(kind)) return undefined
  if (ONLY_LABELS.has(kind))
    return changed?.every((field) => field === 'labels') ? undefined : 'sees only changes of labels'
  const seen = [...SEEN, ...ONLY_LABELS].filter((each) => kind.endsWith('.*') && each.startsWith(kind.slice(0, -1)))
  return seen.length === 0 ? 'does not see it: only hooks tell' : `sees only ${seen.join(', ')}`
}
