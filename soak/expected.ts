// A second, independent reading of the soak's rules: the state of an open merge request when Bellhop has settled.
import { actionsOf, everHad, type History, pipelineWithin } from './history.ts'
import type { SoakRecord, Violation } from './record.ts'
import { failedNote, offLabel } from './rules.ts'

type State = History['last']

const promise = 'every state rule is at its fixpoint'

export const isDraft = ({ title }: Pick<State, 'title'>) => title.startsWith('Draft:')
const has = ({ labels }: State, label: string) => labels.includes(label)

/** What differs from what the rules ask for. */
export function notAtFixpoint(record: SoakRecord, histories: readonly History[]): Violation[] {
  const acknowledged = acknowledgedNotes(record)
  return histories.flatMap((history) => {
    const { last, name } = history
    // Nothing is promised of others: they need be evaluated only when something happens to them.
    if (last.state !== 'opened' || has(last, offLabel)) return []
    return differences(record, history, acknowledged).map((detail) => ({ promise, mergeRequest: name, detail }))
  })
}

/** Ids of notes whose hook was answered 202. */
function acknowledgedNotes({ hooks }: SoakRecord): Set<number> {
  return new Set(hooks.flatMap(({ note, fate }) => (note !== undefined && fate === 'acknowledged' ? [note] : [])))
}

function differences(record: SoakRecord, history: History, acknowledged: ReadonlySet<number>): string[] {
  const { last } = history
  const pipeline = pipelineNow(history)
  const failed = pipeline === 'failed'
  const documents = onlyDocuments(history)
  const ready = has(last, 'ready') && !has(last, 'hold') && !isDraft(last) && last.target_branch === 'master'
  const green = pipeline === 'success' && !isDraft(last) && last.target_branch === 'master'
  const found: string[] = []
  const must = (holds: boolean, detail: string) => void (holds || found.push(detail))

  const takenOff = actionsOf(history, 'label').some(({ action }) => action.remove === 'documentation')
  must(!documents || has(last, 'documentation') || takenOff, 'the label documentation is missing')
  must(
    documents || everDocuments(history) || !has(last, 'documentation'),
    'the label documentation is on without a reason',
  )
  must(!documents || last.time_estimate > 0 || actionsOf(history, 'estimate').length > 0, 'the estimate is missing')
  must(!documents || last.subscriber_ids.includes(record.bot.id), 'Bellhop is not subscribed')

  const ownRed = history.changes[0]?.mergeRequest.labels.includes('red') === true
  must(!failed || has(last, 'red'), 'the pipeline failed, and the label red is missing')
  must(failed || ownRed || !has(last, 'red'), 'the label red was not taken back')
  must(
    notesOf(record, history, failedNote) === (failed ? 1 : 0),
    `the note “${failedNote}” should be there ${failed ? 'once' : 'never'}`,
  )

  const merges = green && !has(last, 'hold') && (has(last, 'automerge') || mayMergeUpdate(history, last))
  const surelyMerges = green && !has(last, 'hold') && has(last, 'automerge')
  const approved = last.approved_by.includes(record.bot.id)
  const asked = ready || (green && !has(last, 'hold') && mayMergeUpdate(history, last))
  must(!ready || approved, 'it is ready, and not approved by Bellhop')
  must(!approved || asked, 'the approval was not taken back')
  must(!surelyMerges, 'it asks to be merged and is not')
  must(
    merges || !green || !wasRequested(history, acknowledged),
    'its merge was requested for this head and did not come',
  )
  return found
}

/** The status of the newest pipeline of the present head. */
function pipelineNow(history: History): string {
  return pipelineWithin(history, history.last.sha, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).at(-1) ?? 'none'
}

/** All branches begin where nothing is, and files have names of their own: what was pushed is what differs. */
function onlyDocuments(history: History): boolean {
  return pushesOf(history).every(({ documents }) => documents)
}

function everDocuments(history: History): boolean {
  return pushesOf(history)[0]?.documents === true
}

function pushesOf(history: History): { by: string; documents: boolean; ended: number }[] {
  return history.actions.flatMap(({ action, ended }) => {
    if (action.do === 'open') return [{ by: action.author, documents: action.documents, ended }]
    return action.do === 'push' ? [{ by: action.by, documents: action.documents, ended }] : []
  })
}

/** Who pushed is known only from hooks, which may be lost: so this says what may be, not what must. */
export function mayMergeUpdate(
  history: History,
  { labels }: Pick<State, 'labels'>,
  before = Number.MAX_SAFE_INTEGER,
): boolean {
  const opened = history.actions[0]?.action
  const byBotAlone = pushesOf(history).every(({ by, ended }) => ended > before || by === 'renovate')
  return (
    opened?.do === 'open' &&
    opened.author === 'renovate' &&
    byBotAlone &&
    labels.includes('dependencies') &&
    !labels.includes('hold')
  )
}

/** A maintainer asked in a heard note for the present head; never turned off, no push, close or retarget since. */
function wasRequested(history: History, acknowledged: ReadonlySet<number>): boolean {
  const { actions } = history
  if (everHad(history, offLabel)) return false
  const moving = new Set(['push', 'close', 'reopen', 'retarget'])
  const moved = Math.max(0, ...actions.filter(({ action }) => moving.has(action.do)).map(({ ended }) => ended))
  return actionsOf(history, 'command').some(
    ({ action, note = 0, at }) =>
      action.word === 'merge' && action.by === 'bob' && at > moved && acknowledged.has(note),
  )
}

/** How many notes of the bot say so now. */
export function notesOf({ bot }: SoakRecord, { notes }: History, text: string): number {
  const now = new Map(notes.map((note) => [note.id, note]))
  return [...now.values()].filter(({ author, body }) => author === bot.id && body?.includes(text)).length
}
