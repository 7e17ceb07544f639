// Every acknowledged event was handled once: requested time adds up, and answers and one-time actions exist once.
import { notesOf } from './expected.ts'
import { actionsOf, everHad, type History } from './history.ts'
import type { HookEntry, SoakRecord, Violation } from './record.ts'
import { offLabel, pong, spentSeconds } from './rules.ts'
import type { Command } from './schedule.ts'

const lost = 'an acknowledged event is never lost'
/** What was done twice stays so. */
export const doubled = 'nothing acts twice'

/** Events that were lost or counted twice. */
export function miscounted(record: SoakRecord, histories: readonly History[]): Violation[] {
  const fates = fatesOf(record.hooks)
  return histories.flatMap((history) => {
    const { name: mergeRequest } = history
    return [...spent(record, history, fates), ...answered(record, history, fates), ...onceOnly(history)].map(
      (each) => ({
        ...each,
        mergeRequest,
      }),
    )
  })
}

/** For each note: acknowledged if any of its deliveries was. */
function fatesOf(hooks: readonly HookEntry[]): Map<number, Set<HookEntry['fate']>> {
  const fates = new Map<number, Set<HookEntry['fate']>>()
  for (const { note, fate } of hooks) if (note !== undefined) fates.set(note, (fates.get(note) ?? new Set()).add(fate))
  return fates
}

/** How many commands were surely heard, and how many may have been. */
function heard(
  history: History,
  word: Command,
  fates: ReadonlyMap<number, ReadonlySet<HookEntry['fate']>>,
): { surely: number; perhaps: number } {
  const own = actionsOf(history, 'command').filter(({ action }) => action.word === word)
  const surely = own.filter(({ note = 0 }) => fates.get(note)?.has('acknowledged')).length
  const perhaps = own.filter(({ note = 0 }) =>
    ['uncertain', 'under way'].some((fate) => fates.get(note)?.has(fate as HookEntry['fate'])),
  ).length
  return { surely, perhaps: surely + perhaps }
}

type Fates = ReturnType<typeof fatesOf>

function spent(record: SoakRecord, history: History, fates: Fates): Violation[] {
  const { surely, perhaps } = heard(history, 'log', fates)
  const times = history.last.total_time_spent / spentSeconds
  // What Bellhop itself called uncertain is not sent again: it may be there or not.
  const flagged = flaggedOf(record, history, 'mergeRequests.addSpentTime')
  if (times > perhaps)
    return [{ promise: doubled, detail: `${perhaps} comments asked to log a minute, ${times} were logged` }]
  if (times >= surely - flagged || everHad(history, offLabel)) return []
  return [
    {
      promise: lost,
      detail: `${surely} comments asked to log a minute, ${times} were logged, ${flagged} called uncertain`,
    },
  ]
}

/** What Bellhop calls uncertain of one merge request. */
function flaggedOf({ uncertain }: SoakRecord, { name }: History, endpoint: string): number {
  return uncertain.filter(({ mergeRequest, detail }) => mergeRequest === name && detail.includes(`(${endpoint})`))
    .length
}

function answered(record: SoakRecord, history: History, fates: Fates): Violation[] {
  const { surely, perhaps } = heard(history, 'ping', fates)
  const notes = notesOf(record, history, pong)
  if (notes > Math.min(perhaps, 1))
    return [{ promise: doubled, detail: `${perhaps} pings, and ${notes} notes that answer` }]
  if (surely === 0 || notes > 0 || everHad(history, offLabel)) return []
  return [{ promise: lost, detail: `${surely} pings, and no answer` }]
}

/** The rule for documentation becomes false once at most, and never true again. */
function onceOnly({ changes }: History): Violation[] {
  const times = changes.filter(
    ({ mergeRequest }, index) =>
      mergeRequest.labels.includes('documentation') &&
      changes[index - 1]?.mergeRequest.labels.includes('documentation') !== true,
  ).length
  return times > 1
    ? [{ promise: doubled, detail: `the label documentation was put on ${times} times, against who took it off` }]
    : []
}
